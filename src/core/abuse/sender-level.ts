import { DAY_MS } from '#core/shared/duration.ts'

/**
 * How much email an owner may cause grows with the account: a new account is unknown; a practice that has been here for
 * a month, or pays, is not. Source: rule E2.
 */
export type SenderLevel = 'new' | 'settled' | 'established'

type Factors = {
  /** The age of the account from which this applies, in days. */
  readonly fromDays: number
  /** The factor by which the amount of the budget is multiplied. */
  readonly email_owner: number
  readonly email_practice: number
}

/** Source: `docs/operations/budgets.md` has the same lines; a test compares them. */
export const SENDER_LEVELS = {
  new: { fromDays: 0, email_owner: 1, email_practice: 1 },
  settled: { fromDays: 7, email_owner: 5, email_practice: 2 },
  established: { fromDays: 30, email_owner: 20, email_practice: 4 },
} as const satisfies Record<SenderLevel, Factors>

/** The trust level of an owner. A bought plan counts like the oldest account. Source: rule E2. */
export function decideSenderLevel(
  owner: { readonly registeredAtMs: number; readonly hasBoughtPlan: boolean },
  nowMs: number,
): SenderLevel {
  const ageDays = (nowMs - owner.registeredAtMs) / DAY_MS
  if (owner.hasBoughtPlan || ageDays >= SENDER_LEVELS.established.fromDays) return 'established'
  return ageDays >= SENDER_LEVELS.settled.fromDays ? 'settled' : 'new'
}
