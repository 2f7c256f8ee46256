import { expect, test } from 'vitest'
import { DAY_MS } from '#core/shared/duration.ts'
import { isExpiringSoon, listDueReminders } from './payment-reminders.ts'

const SINCE = Date.parse('2027-01-04T08:00:00Z')

test.each([
  [-1, []],
  [0, [0]],
  [3 * DAY_MS - 1, [0]],
  [3 * DAY_MS, [0, 3]],
  [7 * DAY_MS, [0, 3, 7]],
  [90 * DAY_MS, [0, 3, 7]],
])('%i ms after a payment failed, the emails of these days are due: %j', (passedMs, days) => {
  expect(listDueReminders(SINCE, SINCE + passedMs)).toEqual(days)
})

test.each([
  [2027, 1, true],
  [2027, 2, false],
  [2026, 12, true],
  [2028, 1, false],
])('a card of %i-%i expires within a month of January 4, 2027: %s', (expiryYear, expiryMonth, expected) => {
  expect(isExpiringSoon({ expiryYear, expiryMonth }, SINCE)).toBe(expected)
})

test('a card counts as expiring from 31 days before its end', () => {
  const card = { expiryYear: 2027, expiryMonth: 3 }
  expect(isExpiringSoon(card, Date.parse('2027-02-28T23:59:59Z'))).toBe(false)
  expect(isExpiringSoon(card, Date.parse('2027-03-01T00:00:00Z'))).toBe(true)
})
