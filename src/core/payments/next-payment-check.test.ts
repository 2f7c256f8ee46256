import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { findNextPaymentCheckMs } from './next-payment-check.ts'

test.each([
  ['at once', 0, MINUTE_MS],
  ['after the longest hold', 30 * MINUTE_MS, 3 * MINUTE_MS],
  ['after a day', DAY_MS, 2 * HOUR_MS],
  ['a moment before three days', 3 * DAY_MS - 1, 2 * HOUR_MS],
])('a silent provider is asked again %s with a pause that fits the age', (_when, ageMs, pauseMs) => {
  expect(findNextPaymentCheckMs(1_000, 1_000 + ageMs)).toBe(1_000 + ageMs + pauseMs)
})

test('after three days without an answer, the provider is no longer asked', () => {
  expect(findNextPaymentCheckMs(1_000, 1_000 + 3 * DAY_MS)).toBeNull()
})
