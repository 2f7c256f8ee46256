import { expect, test } from 'vitest'
import { DAY_MS } from '#core/shared/duration.ts'
import { decideSenderTrustLevel } from './sender-level.ts'

const NOW_MS = Date.parse('2027-01-04T08:00:00Z')

test.each([
  [0, false, 'new'],
  [7 * DAY_MS - 1, false, 'new'],
  [7 * DAY_MS, false, 'settled'],
  [30 * DAY_MS - 1, false, 'settled'],
  [30 * DAY_MS, false, 'established'],
  [0, true, 'established'],
  // A negative age: the database's clock can be ahead of ours.
  [-1_000, false, 'new'],
] as const)('an account of %i ms, with a bought plan %s, is %s', (ageMs, hasBoughtPlan, standing) => {
  expect(decideSenderTrustLevel({ registeredAtMs: NOW_MS - ageMs, hasBoughtPlan }, NOW_MS)).toBe(standing)
})
