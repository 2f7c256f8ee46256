import { expect, test } from 'vitest'
import { canMarkNoShow } from './no-show.ts'

const START = Date.parse('2027-01-04T09:00:00Z')

test.each([
  ['confirmed', -1, false],
  ['confirmed', 0, true],
  ['confirmed', 3_600_000, true],
  ['cancelled', 0, false],
  ['pending_cancellation', 0, false],
  ['pending_payment', 0, false],
] as const)('%s, %s ms after its start: %s', (status, afterStart, expected) => {
  expect(canMarkNoShow({ state: { status }, startsAtMs: START }, START + afterStart)).toBe(expected)
})
