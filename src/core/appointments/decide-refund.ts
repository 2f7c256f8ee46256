import type { AppointmentState } from './appointment-actions.ts'
import { type CancellationByCustomer, checkCustomerCancellation, refundAmountOf } from './check-policy.ts'
import { type RefundableAppointment, refundShareOf } from './refund-shares.ts'

/** How much of a payment is refunded on cancellation, in minor units. */
export type RefundAmount = {
  readonly cents: number
  /** The percentage from the policy; null when the owner chose the amount. */
  readonly percent: number | null
}

type PaidAppointment = RefundableAppointment & {
  /** The amount paid; null when nothing was paid. */
  readonly paidCents: number | null
}

/**
 * Returns the refund that the policy grants for a cancellation. `askedAtMs` is the time of the customer's request, so
 * the customer loses nothing when the owner answers late. Null when nothing was paid or the policy grants no refund.
 * Source: rules Q5 and Q8.
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
 * Returns the time that decides the refund percentage when the owner cancels: the customer's request or the owner's
 * decision, whichever is earlier. Source: rule Q8.
 */
export function toRefundReferenceTimeMs(cancellationAskedAtMs: number | null, decidedAtMs: number): number {
  return Math.min(cancellationAskedAtMs ?? decidedAtMs, decidedAtMs)
}

export type RefundDecision =
  | { readonly ok: true; readonly refund: RefundAmount | null }
  | { readonly ok: false; readonly reason: 'less_than_policy' | 'more_than_paid' }

/**
 * Decides the refund when the owner cancels. With `wantedCents` null the policy decides. The owner may refund more than
 * the policy grants, but never less. Source: rule Q8.
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

/** How the customer can cancel now, and the refund for it. */
export type CancellationTerms = {
  readonly way: 'alone' | 'by_request' | 'none'
  /** Until when the customer can cancel without the owner; null when they cannot. */
  readonly untilMs: number | null
  readonly refund: RefundAmount | null
}

/** Returns the terms for a cancellation by the customer. Holds are released, not cancelled. Source: rules Q4 and Q8. */
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
