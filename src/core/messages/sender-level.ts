import { DAY_MS } from '#core/shared/duration.ts'

/**
 * Trust levels of owners. The daily email limit grows with the account: a new account gets little; an account that is a month
 * old or has a paid plan gets the most. Source: rule E2.
 */
export type SenderTrustLevel = 'new' | 'settled' | 'established'

type Factors = {
  /** Minimum age of the account in days. */
  readonly fromDays: number
  /** Multiplier of the budget's limit. */
  readonly email_owner: number
  readonly email_practice: number
}

/** `docs/operations/budgets.md` has the same lines; a test compares them. */
export const SENDER_TRUST_LEVELS = {
  new: { fromDays: 0, email_owner: 1, email_practice: 1 },
  settled: { fromDays: 7, email_owner: 5, email_practice: 2 },
  established: { fromDays: 30, email_owner: 20, email_practice: 4 },
} as const satisfies Record<SenderTrustLevel, Factors>

/** Returns the trust level of an owner. A paid plan counts like the oldest account. Source: rule E2. */
export function decideSenderTrustLevel(
  owner: { readonly registeredAtMs: number; readonly hasBoughtPlan: boolean },
  nowMs: number,
): SenderTrustLevel {
  const ageDays = (nowMs - owner.registeredAtMs) / DAY_MS
  if (owner.hasBoughtPlan || ageDays >= SENDER_TRUST_LEVELS.established.fromDays) return 'established'
  return ageDays >= SENDER_TRUST_LEVELS.settled.fromDays ? 'settled' : 'new'
}
