import type { BudgetAmounts, BudgetName } from '#core/shared/budgets.ts'

/**
 * The budget that limits each count of a caller's holds, in checking order. Counts that only the caller can use up come
 * first; the count per email address comes last, because anybody can type an address. Source: rule H4.
 */
export const HOLD_LIMITS = {
  expiredOfClient: 'expired_holds',
  madeByClient: 'holds_client',
  openOfClient: 'open_holds_client',
  minutesOfTime: 'held_minutes',
  madeByNetwork: 'holds_network',
  openOfNetwork: 'open_holds_network',
  expiredOfEmail: 'expired_holds',
  openOfEmail: 'open_holds_email',
} as const satisfies Record<string, BudgetName>

export type HoldLimit = keyof typeof HOLD_LIMITS

/** Counts of a caller's holds: open ones, and those of the last hour that were not paid. Source: rule H10. */
export type HoldCounts = Readonly<Record<HoldLimit, number>>

/** Returns the first limit that another hold would exceed, or null. */
export function findReachedHoldLimit(counts: HoldCounts, amounts: BudgetAmounts): HoldLimit | null {
  // HOLD_LIMITS is keyed by HoldLimit.
  const limits = Object.keys(HOLD_LIMITS) as HoldLimit[]
  return limits.find((limit) => counts[limit] >= amounts[HOLD_LIMITS[limit]]) ?? null
}
