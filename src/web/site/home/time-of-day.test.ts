import { expect, test } from 'vitest'
import { timeOfDay } from './time-of-day.ts'

test.each([
  [6, 0, '6:00', 'sun', 0, 'before noon'],
  [9, 0, '9:00', 'sun', 0.25, 'before noon'],
  [12, 0, '12:00', 'sun', 0.5, 'after noon'],
  [15, 30, '3:30', 'sun', 9.5 / 12, 'after noon'],
  [18, 0, '6:00', 'moon', 0, 'before midnight'],
  [21, 5, '9:05', 'moon', (3 + 5 / 60) / 12, 'before midnight'],
  [0, 0, '12:00', 'moon', 0.5, 'after midnight'],
  [5, 59, '5:59', 'moon', (11 + 59 / 60) / 12, 'after midnight'],
])('at %i:%i the clock shows %s and the %s stands at %d, %s', (hour, minute, clock, light, at, where) => {
  const seen = timeOfDay(new Date(2026, 10, 23, hour, minute))
  expect({ ...seen, at: seen.at.toFixed(6), where: `${seen.side} ${seen.meridian}` }).toMatchObject({
    clock,
    light,
    at: at.toFixed(6),
    where,
  })
})
