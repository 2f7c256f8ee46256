import { refundShareAt } from './judge-policy.ts'
import type { Policy } from './policy.ts'

/**
 * Limits that earlier moves set on the refund share, in percent. `most`: the share at the moment when the customer moved the
 * appointment; they get no more. `least`: the share at the moment when the owner moved it to an earlier start; the customer gets
 * no less. Null: no limit, so the table of the policy decides. Source: rule Q8.
 */
export type RefundShareLimits = { readonly most: number | null; readonly least: number | null }

/** Of an appointment that was never moved. */
export const NO_SHARE_LIMITS: RefundShareLimits = { most: null, least: null }

/** What decides about the share of an appointment. */
export type RefundableAppointment = {
  /** Under which it was booked. */
  readonly policy: Policy
  readonly startsAtMs: number
  readonly refundShares: RefundShareLimits
}

/**
 * The share in percent that goes back when an appointment is cancelled at this moment, whatever moved it before. Null when the policy
 * promises nothing and the owner decides. Nothing is kept once it has begun. Source: rules Q5, Q8 and Q11.
 */
export function refundShareOf(
  { policy, startsAtMs, refundShares: { most, least } }: RefundableAppointment,
  nowMs: number,
): number | null {
  const share = refundShareAt(policy, startsAtMs, nowMs)
  if (share === null || nowMs >= startsAtMs) return share
  return Math.max(least ?? 0, Math.min(most ?? 100, share))
}

/**
 * What a move leaves of the shares. A customer who moves an appointment far ahead gets no more by it than at that moment. An owner who
 * moves it to an earlier start takes nothing from the customer; to a later one, no share of the table falls by it. Source: rule Q8.
 */
export function sharesAfterMove(
  appointment: RefundableAppointment,
  { causedBy, toMs }: { readonly causedBy: 'customer' | 'owner'; readonly toMs: number },
  nowMs: number,
): RefundShareLimits {
  const { refundShares: before, startsAtMs } = appointment
  const share = refundShareOf(appointment, nowMs)
  if (share === null) return before
  if (causedBy === 'customer') return { ...before, most: Math.max(share, before.least ?? 0) }
  return toMs < startsAtMs ? { ...before, least: Math.max(share, before.least ?? 0) } : before
}
