import { expect, test } from 'vitest'
import { skyPositionAt } from './time-of-day.ts'

test.each([
  [6, 0, '6:00 AM where you are', 'sun', 0],
  [9, 0, '9:00 AM where you are', 'sun', 0.25],
  [12, 0, '12:00 PM where you are', 'sun', 0.5],
  [15, 30, '3:30 PM where you are', 'sun', 9.5 / 12],
  [18, 0, '6:00 PM where you are', 'moon', 0],
  [21, 5, '9:05 PM where you are', 'moon', (3 + 5 / 60) / 12],
  [0, 0, '12:00 AM where you are', 'moon', 0.5],
  [5, 59, '5:59 AM where you are', 'moon', (11 + 59 / 60) / 12],
])('at %i:%i it is %s and the %s stands at %d', (hour, minute, words, light, at) => {
  const seen = skyPositionAt(new Date(2026, 10, 23, hour, minute))
  expect({ ...seen, at: seen.at.toFixed(6) }).toEqual({ words, light, at: at.toFixed(6) })
})
