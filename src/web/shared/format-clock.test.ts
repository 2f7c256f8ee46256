import { expect, test } from 'vitest'
import { formatClock, formatHour } from './format-clock.ts'
import { formatDayOfWeek } from './format-week.ts'

test.each([
  [0, '12 AM'],
  [9, '9 AM'],
  [11, '11 AM'],
  [12, '12 PM'],
  [17, '5 PM'],
  [23, '11 PM'],
])('hour %d is %s', (hour, text) => {
  expect(formatHour(hour)).toBe(text)
})

test.each([
  ['00:00', '12:00 AM'],
  ['00:30', '12:30 AM'],
  ['09:05:00', '9:05 AM'],
  ['12:00', '12:00 PM'],
  ['23:59', '11:59 PM'],
])('a clock at %s is %s, in whatever zone the machine is', (time, text) => {
  expect(formatClock(time)).toBe(text)
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
