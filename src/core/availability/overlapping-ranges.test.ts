import { expect, test } from 'vitest'
import { findOverlap } from './overlapping-ranges.ts'

const DAY = [
  { start: '09:00', end: '12:00' },
  { start: '13:00', end: '17:00' },
]

test.each([
  ['12:00', '13:00'],
  ['00:00', '09:00'],
  ['17:00', '24:00'],
])('%s to %s touches what is there and is free', (start, end) => {
  expect(findOverlap(DAY, { start, end })).toBeNull()
})

test.each([
  ['11:59', '12:30', '09:00'],
  ['08:00', '09:01', '09:00'],
  ['10:00', '10:30', '09:00'],
  ['00:00', '24:00', '09:00'],
  ['09:00', '12:00', '09:00'],
  ['12:30', '13:01', '13:00'],
])('%s to %s shares time with the range from %s', (start, end, found) => {
  expect(findOverlap(DAY, { start, end })?.start).toBe(found)
})
