import { expect, test } from 'vitest'
import { sunPositionAt } from './sun-at.ts'

test.each([
  [5, 59, null],
  [6, 0, 0],
  [9, 0, 0.25],
  [12, 0, 0.5],
  [18, 0, 1],
  [18, 1, null],
  [0, 0, null],
])('at %i:%i the sun is at %s of its way', (hours, minutes, at) => {
  expect(sunPositionAt(new Date(2026, 5, 1, hours, minutes))).toBe(at)
})
