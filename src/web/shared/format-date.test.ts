import { expect, test } from 'vitest'
import {
  browserTimeZone,
  formatDateHeading,
  formatDayOfWeek,
  formatLongDate,
  formatMonthDay,
  formatShortDate,
  formatTime,
  formatWeekday,
  formatZone,
  localDateOf,
  localTimeOf,
  zoneAbbreviation,
} from './format-date.ts'

const WINTER = '2026-12-01T09:30:00Z'
const SUMMER = '2026-07-01T09:30:00Z'

test.each([
  ['Europe/London', '9:30 AM'],
  ['Asia/Kathmandu', '3:15 PM'],
  ['America/St_Johns', '6:00 AM'],
  ['Pacific/Auckland', '10:30 PM'],
  ['UTC', '9:30 AM'],
])('09:30 UTC on a winter day is read in %s as %s', (timeZone, text) => {
  expect(formatTime(WINTER, timeZone, 'h12')).toBe(text)
})

test('noon is 12 PM and midnight is 12 AM', () => {
  expect(formatTime('2026-12-01T12:00:00Z', 'UTC', 'h12')).toBe('12:00 PM')
  expect(formatTime('2026-12-01T00:00:00Z', 'UTC', 'h12')).toBe('12:00 AM')
})

test('on the 24-hour clock noon is 12:00 and midnight is 00:00', () => {
  const times = ['2026-12-01T12:00:00Z', '2026-12-01T00:00:00Z', '2026-12-01T15:05:00Z']
  expect(times.map((time) => formatTime(time, 'UTC', 'h23'))).toEqual(['12:00', '00:00', '15:05'])
})

test('the 24-hour clock leaves the same hour out, and has the same hour twice', () => {
  const times = [
    '2026-03-29T00:59:00Z',
    '2026-03-29T01:00:00Z',
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
  ]
  expect(times.map((time) => formatTime(time, 'Europe/London', 'h23'))).toEqual([
    '00:59',
    '02:00',
    '01:30',
    '01:30',
  ])
})

test('on the day the clocks go forward an hour is left out', () => {
  expect(formatTime('2026-03-29T00:59:00Z', 'Europe/London', 'h12')).toBe('12:59 AM')
  expect(formatTime('2026-03-29T01:00:00Z', 'Europe/London', 'h12')).toBe('2:00 AM')
})

test('on the day the clocks go back the same hour comes twice, told apart by its zone', () => {
  expect(formatTime('2026-10-25T00:30:00Z', 'Europe/London', 'h12')).toBe('1:30 AM')
  expect(formatTime('2026-10-25T01:30:00Z', 'Europe/London', 'h12')).toBe('1:30 AM')
  expect(zoneAbbreviation('Europe/London', '2026-10-25T00:30:00Z')).toBe('BST')
  expect(zoneAbbreviation('Europe/London', '2026-10-25T01:30:00Z')).toBe('GMT')
})

test('dates are written as rule W11 shows them, whatever the zone of the machine', () => {
  expect(formatDateHeading('2026-12-01')).toBe('Tuesday, December 1')
  expect(formatLongDate('2026-12-01')).toBe('December 1, 2026')
  expect(formatShortDate('2026-12-01')).toBe('Dec 1, 2026')
  expect(formatLongDate('2028-02-29')).toBe('February 29, 2028')
})

test.each([
  ['2026-12-01T19:00:00Z', 'Asia/Kathmandu', '2026-12-02'],
  ['2026-12-01T03:00:00Z', 'America/St_Johns', '2026-11-30'],
  ['2026-12-01T10:59:59Z', 'Pacific/Auckland', '2026-12-01'],
  ['2026-12-01T11:00:00Z', 'Pacific/Auckland', '2026-12-02'],
  ['2026-03-29T23:30:00Z', 'Europe/London', '2026-03-30'],
])('%s is, in %s, on %s', (instant, timeZone, date) => {
  expect(localDateOf(instant, timeZone)).toBe(date)
})

test.each([
  ['2026-12-01T00:00:00Z', 'UTC', '00:00'],
  ['2026-12-01T12:00:00Z', 'UTC', '12:00'],
  ['2026-12-01T09:30:00Z', 'Asia/Kathmandu', '15:15'],
  ['2026-12-01T03:29:59Z', 'America/St_Johns', '23:59'],
  ['2026-03-29T00:59:00Z', 'Europe/London', '00:59'],
  ['2026-03-29T01:00:00Z', 'Europe/London', '02:00'],
  ['2026-10-25T01:30:00Z', 'Europe/London', '01:30'],
])('at %s clocks in %s read %s', (instant, timeZone, time) => {
  expect(localTimeOf(instant, timeZone)).toBe(time)
})

test.each([
  ['Europe/London', WINTER, 'London time (GMT)'],
  ['Europe/London', SUMMER, 'London time (BST)'],
  ['America/New_York', WINTER, 'New York time (EST)'],
  ['America/St_Johns', WINTER, 'St Johns time (NST)'],
  ['Europe/Berlin', SUMMER, 'Berlin time (CEST)'],
  ['Australia/Sydney', WINTER, 'Sydney time (AEDT)'],
  ['Asia/Kolkata', WINTER, 'Kolkata time (IST)'],
  ['Asia/Kathmandu', WINTER, 'Kathmandu time (GMT+5:45)'],
  ['UTC', WINTER, 'UTC'],
  ['Etc/GMT+5', WINTER, 'GMT-5'],
  ['Etc/GMT-14', WINTER, 'GMT+14'],
  ['Etc/UTC', WINTER, 'UTC'],
])('%s at %s is called %s', (timeZone, at, text) => {
  expect(formatZone(timeZone, at)).toBe(text)
})

test('the zone of the browser is one that can be formatted with', () => {
  expect(formatTime(WINTER, browserTimeZone(), 'h12')).toMatch(/^\d{1,2}:\d\d [AP]M$/)
})

test('a day in a row of days is its weekday, or its place in the month', () => {
  expect(formatWeekday('2026-12-01')).toBe('Tue')
  expect(formatMonthDay('2026-12-01')).toBe('Dec 1')
})

test('the week is counted from Sunday', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(formatDayOfWeek)).toEqual([
    'Sunday',
    'Monday',
    'Tuesday',
    'Wednesday',
    'Thursday',
    'Friday',
    'Saturday',
  ])
})
