import { expect, test } from 'vitest'
import {
  formatClock,
  formatHour,
  formatShortTime,
  formatTimeRange,
  formatTimeWithoutAmPm,
} from './format-clock.ts'

test.each([
  [0, '12 AM'],
  [9, '9 AM'],
  [11, '11 AM'],
  [12, '12 PM'],
  [17, '5 PM'],
  [23, '11 PM'],
])('hour %d is %s', (hour, text) => {
  expect(formatHour(hour, 'h12')).toBe(text)
})

test.each([
  ['00:00', '12:00 AM'],
  ['00:30', '12:30 AM'],
  ['09:05:00', '9:05 AM'],
  ['12:00', '12:00 PM'],
  ['23:59', '11:59 PM'],
])('a clock at %s is %s, in whatever zone the machine is', (time, text) => {
  expect(formatClock(time, 'h12')).toBe(text)
})

test.each([
  ['2026-12-01T09:00:00Z', '2026-12-01T10:30:00Z', 'UTC', '9 – 10:30 AM'],
  ['2026-12-01T11:00:00Z', '2026-12-01T13:00:00Z', 'UTC', '11 AM – 1 PM'],
  ['2026-12-01T12:00:00Z', '2026-12-01T12:45:00Z', 'UTC', '12 – 12:45 PM'],
  ['2026-12-01T23:30:00Z', '2026-12-02T00:15:00Z', 'UTC', '11:30 PM – 12:15 AM'],
  ['2026-12-01T06:00:00Z', '2026-12-01T06:15:00Z', 'Asia/Kathmandu', '11:45 AM – 12 PM'],
  ['2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z', 'Europe/London', '12:30 – 2 AM'],
])('where there is little room, %s to %s in %s is %s', (start, end, timeZone, text) => {
  expect(formatTimeRange(start, end, timeZone, 'h12')).toBe(text)
})

test.each([
  ['2026-12-01T00:00:00Z', 'UTC', '12 AM', '12:00'],
  ['2026-12-01T12:05:00Z', 'UTC', '12:05 PM', '12:05'],
  ['2026-12-01T09:30:00Z', 'America/St_Johns', '6 AM', '6:00'],
  ['2026-03-29T01:00:00Z', 'Europe/London', '2 AM', '2:00'],
])(
  '%s in %s is %s where it stands alone, %s where its place says the half of the day',
  (at, timeZone, alone, placed) => {
    expect(formatShortTime(at, timeZone, 'h12')).toBe(alone)
    expect(formatTimeWithoutAmPm(at, timeZone, 'h12')).toBe(placed)
  },
)

test('the 24-hour clock has two digits for each hour, and minutes everywhere', () => {
  expect([0, 9, 12, 17, 23].map((hour) => formatHour(hour, 'h23'))).toEqual([
    '00:00',
    '09:00',
    '12:00',
    '17:00',
    '23:00',
  ])
  expect(formatClock('00:30', 'h23')).toBe('00:30')
  expect(formatClock('23:59:00', 'h23')).toBe('23:59')
  expect(formatShortTime('2026-03-29T01:00:00Z', 'Europe/London', 'h23')).toBe('02:00')
  expect(formatTimeWithoutAmPm('2026-12-01T15:05:00Z', 'UTC', 'h23')).toBe('15:05')
})

test.each([
  ['2026-12-01T09:00:00Z', '2026-12-01T10:30:00Z', 'UTC', '09:00 – 10:30'],
  ['2026-12-01T11:00:00Z', '2026-12-01T13:00:00Z', 'UTC', '11:00 – 13:00'],
  ['2026-12-01T23:30:00Z', '2026-12-02T00:15:00Z', 'UTC', '23:30 – 00:15'],
])('on the 24-hour clock, %s to %s in %s is %s', (start, end, timeZone, text) => {
  expect(formatTimeRange(start, end, timeZone, 'h23')).toBe(text)
})
