import { refundShareAt } from './check-policy.ts'
import type { Policy } from './policy.ts'

/**
 * Limits on the refund percentage from earlier moves. `most`: the percentage when the customer moved the appointment;
 * they never get more. `least`: the percentage when the owner moved it to an earlier start; the customer never gets
 * less. Null: no limit, the policy's table decides. Source: rule Q8.
 */
export type RefundShareLimits = { readonly most: number | null; readonly least: number | null }

/** For an appointment that was never moved. */
export const NO_SHARE_LIMITS: RefundShareLimits = { most: null, least: null }

/** The facts that decide the refund percentage of an appointment. */
export type RefundableAppointment = {
  /** The policy stored with the booking. */
  readonly policy: Policy
  readonly startsAtMs: number
  readonly refundShares: RefundShareLimits
}

/**
 * Returns the refund percentage for a cancellation now, including limits from earlier moves. Null when the policy
 * grants no refunds and the owner decides. After the start nothing is refunded. Source: rules Q5, Q8 and Q11.
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
 * Returns the limits after a move. A customer who moves an appointment into the future never gets more than at the time
 * of the move. When the owner moves it earlier, the customer keeps the percentage of the old start; moving it later
 * takes nothing away. Source: rule Q8.
 */
export function refundLimitsAfterMove(
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
