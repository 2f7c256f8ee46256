import type { BudgetAmounts, BudgetName } from './budgets.ts'

/**
 * Which budget limits which count of a caller's holds, in the order in which they are checked: first what only the
 * caller can use up, last what others can use up as well, because anybody can type an email address. Source: rule H4.
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

/** The holds of a caller: those that are open, and those of the last hour that were not paid. Source: rule H10. */
export type HoldCounts = Readonly<Record<HoldLimit, number>>

/** The first limit that another hold would exceed; null when none would be. */
export function findReachedHoldLimit(counts: HoldCounts, amounts: BudgetAmounts): HoldLimit | null {
  // The keys of the table are the limits.
  const limits = Object.keys(HOLD_LIMITS) as HoldLimit[]
  return limits.find((limit) => counts[limit] >= amounts[HOLD_LIMITS[limit]]) ?? null
}
