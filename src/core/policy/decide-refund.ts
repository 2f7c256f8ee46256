import type { AppointmentState } from '#core/booking/appointment-actions.ts'
import { type CancellationByCustomer, checkCustomerCancellation, refundAmountOf } from './judge-policy.ts'
import { type RefundableAppointment, refundShareOf } from './refund-shares.ts'

/** How much of a payment a cancellation gives back, in minor units. */
export type RefundAmount = {
  readonly cents: number
  /** The share of the policy; null when the owner chose the amount. */
  readonly percent: number | null
}

type PaidAppointment = RefundableAppointment & {
  /** What was paid; null when nothing was. */
  readonly paidCents: number | null
}

/**
 * What the policy gives back when an appointment is cancelled. `askedAtMs` is when the customer asked for it: an owner who takes
 * their time takes nothing from the customer. Null when nothing was paid or nothing was promised. Source: rules Q5 and Q8.
 */
export function toPolicyRefund(
  { paidCents, ...appointment }: PaidAppointment,
  askedAtMs: number,
): RefundAmount | null {
  const percent = refundShareOf(appointment, askedAtMs)
  if (paidCents === null || percent === null) return null
  return { cents: refundAmountOf(paidCents, percent), percent }
}

/**
 * The moment whose share counts when an owner cancels: that of the decision, or that of the customer's request when it came before.
 * Source: rule Q8.
 */
export function toRefundTimeMs(cancellationAskedAtMs: number | null, decidedAtMs: number): number {
  return Math.min(cancellationAskedAtMs ?? decidedAtMs, decidedAtMs)
}

export type RefundDecision =
  | { readonly ok: true; readonly refund: RefundAmount | null }
  | { readonly ok: false; readonly reason: 'less_than_policy' | 'more_than_paid' }

/**
 * Decides what the owner's cancellation gives back. `wantedCents` null leaves it to the policy. The owner may give more, and never
 * less than was promised. Source: rule Q8.
 */
export function decideRefund(
  appointment: PaidAppointment,
  { askedAtMs, wantedCents }: { readonly askedAtMs: number; readonly wantedCents: number | null },
): RefundDecision {
  const promised = toPolicyRefund(appointment, askedAtMs)
  if (wantedCents === null || wantedCents === promised?.cents) return { ok: true, refund: promised }
  if (wantedCents > (appointment.paidCents ?? 0)) return { ok: false, reason: 'more_than_paid' }
  if (wantedCents < (promised?.cents ?? 0)) return { ok: false, reason: 'less_than_policy' }
  return { ok: true, refund: appointment.paidCents === null ? null : { cents: wantedCents, percent: null } }
}

/** What its customer can do about an appointment at this moment, and what goes back to them then. */
export type CancellationTerms = {
  readonly way: 'alone' | 'by_request' | 'none'
  /** Until when the customer cancels alone; null where they cannot. */
  readonly untilMs: number | null
  readonly refund: RefundAmount | null
}

/** The terms of a cancellation by the customer. A hold is given back, not cancelled. Source: rules Q4 and Q8. */
export function toCancellationTerms(
  appointment: PaidAppointment & { readonly status: AppointmentState['status'] },
  nowMs: number,
): CancellationTerms {
  const { policy, status } = appointment
  const verdict: CancellationByCustomer = checkCustomerCancellation(policy, appointment, nowMs)
  if (status !== 'confirmed' || verdict.kind === 'refused')
    return { way: 'none', untilMs: null, refund: null }
  return {
    way: verdict.kind,
    untilMs: verdict.kind === 'alone' ? verdict.untilMs : null,
    refund: toPolicyRefund(appointment, nowMs),
  }
}
