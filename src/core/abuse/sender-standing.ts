import { DAY_MS } from '#core/shared/duration.ts'

/**
 * How much email an owner may cause grows with the account: whoever has just registered is unknown, and a practice that
 * has been here for a month, or pays, is not. Source: rule E2.
 */
export type SenderStanding = 'new' | 'settled' | 'established'

type Factors = {
  /** From this age of the account on, in days. */
  readonly fromDays: number
  /** By how much the amount of the budget is multiplied. */
  readonly email_owner: number
  readonly email_practice: number
}

/** Source: `docs/operations.md`, "Budgets", has the same lines; a test compares them. */
export const SENDER_STANDINGS = {
  new: { fromDays: 0, email_owner: 1, email_practice: 1 },
  settled: { fromDays: 7, email_owner: 5, email_practice: 2 },
  established: { fromDays: 30, email_owner: 20, email_practice: 4 },
} as const satisfies Record<SenderStanding, Factors>

/** The standing of an owner. A plan that was bought counts like the longest age. Source: rule E2. */
export function decideStanding(
  owner: { readonly registeredAtMs: number; readonly hasBoughtPlan: boolean },
  nowMs: number,
): SenderStanding {
  const ageDays = (nowMs - owner.registeredAtMs) / DAY_MS
  if (owner.hasBoughtPlan || ageDays >= SENDER_STANDINGS.established.fromDays) return 'established'
  return ageDays >= SENDER_STANDINGS.settled.fromDays ? 'settled' : 'new'
}
