import { expect, test } from 'vitest'
import { parseBudgetAmounts } from '#core/shared/budgets.ts'
import { findReachedHoldLimit, HOLD_LIMITS, type HoldCounts, type HoldLimit } from './hold-limits.ts'

const { amounts } = parseBudgetAmounts('')
const limits = Object.keys(HOLD_LIMITS) as HoldLimit[]
const NONE = Object.fromEntries(limits.map((limit) => [limit, 0])) as HoldCounts

test('a customer without holds can hold a time', () => {
  expect(findReachedHoldLimit(NONE, amounts)).toBeNull()
})

test.each(limits)('%s: the last one that the budget has room for is let through, and no other', (limit) => {
  const max = amounts[HOLD_LIMITS[limit]]
  expect(findReachedHoldLimit({ ...NONE, [limit]: max - 1 }, amounts)).toBeNull()
  expect(findReachedHoldLimit({ ...NONE, [limit]: max }, amounts)).toBe(limit)
})

test('the limit of the client is reported before the limit of the email address', () => {
  const counts = { ...NONE, openOfClient: 3, openOfEmail: 3, expiredOfEmail: 3 }
  expect(findReachedHoldLimit(counts, amounts)).toBe('openOfClient')
})
