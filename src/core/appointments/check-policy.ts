import { HOUR_MS } from '#core/shared/duration.ts'
import type { Policy } from './policy.ts'

export type MoveByCustomer =
  | {
      readonly ok: true
      /** The last instant at which the customer may move the appointment. */
      readonly untilMs: number
      /** Remaining number of moves; null for no limit. */
      readonly timesLeft: number | null
    }
  | { readonly ok: false; readonly reason: 'not_allowed' | 'too_late' | 'too_often' }

/**
 * Decides whether the policy lets the customer move the appointment themselves. `timesMoved` counts moves by the
 * customer only. Source: rules Q2 and Q3.
 */
export function checkCustomerMove(
  { moving }: Policy,
  { startsAtMs, timesMoved }: { readonly startsAtMs: number; readonly timesMoved: number },
  nowMs: number,
): MoveByCustomer {
  if (moving.kind === 'never') return { ok: false, reason: 'not_allowed' }
  if (!isInTime(startsAtMs, moving.hours, nowMs)) return { ok: false, reason: 'too_late' }
  const timesLeft = moving.times === null ? null : Math.max(0, moving.times - timesMoved)
  if (timesLeft === 0) return { ok: false, reason: 'too_often' }
  return { ok: true, untilMs: deadlineOf(startsAtMs, moving.hours), timesLeft }
}

/** How the customer can cancel now. Nothing is possible after the start. Source: rules Q2 and Q4. */
export type CancellationByCustomer =
  | { readonly kind: 'alone'; readonly untilMs: number }
  | { readonly kind: 'by_request' }
  | { readonly kind: 'refused'; readonly reason: 'begun' | 'too_late' }

export function checkCustomerCancellation(
  { cancelling }: Policy,
  { startsAtMs }: { readonly startsAtMs: number },
  nowMs: number,
): CancellationByCustomer {
  if (nowMs >= startsAtMs) return { kind: 'refused', reason: 'begun' }
  if (cancelling.kind === 'by_request') return { kind: 'by_request' }
  if (isInTime(startsAtMs, cancelling.hours, nowMs)) {
    return { kind: 'alone', untilMs: deadlineOf(startsAtMs, cancelling.hours) }
  }
  return cancelling.after === 'by_request' ? { kind: 'by_request' } : { kind: 'refused', reason: 'too_late' }
}

/**
 * Returns the last instants at which the policy lets the customer move the appointment, and cancel it or ask for that. Null
 * when they can never do so. Source: rules Q3 and Q4.
 */
export function findChangeDeadlines(
  { moving, cancelling }: Policy,
  startsAtMs: number,
): { readonly moveUntilMs: number | null; readonly cancelUntilMs: number } {
  const endsEarly = cancelling.kind === 'alone' && cancelling.after === 'never'
  return {
    moveUntilMs: moving.kind === 'never' ? null : deadlineOf(startsAtMs, moving.hours),
    cancelUntilMs: endsEarly ? deadlineOf(startsAtMs, cancelling.hours) : startsAtMs,
  }
}

/**
 * Returns the refund percentage for a cancellation now. Null when the policy grants no refunds and the owner decides.
 * Source: rules Q2 and Q5.
 */
export function refundShareAt({ refunds }: Policy, startsAtMs: number, nowMs: number): number | null {
  if (refunds.length === 0) return null
  return refunds.find(({ hours }) => isInTime(startsAtMs, hours, nowMs))?.percent ?? 0
}

/**
 * Returns a percentage of an amount in minor units, rounded up, so that nobody gets less than the stated percentage.
 * Source: rule Q6.
 */
export function refundAmountOf(amountCents: number, percent: number): number {
  return Math.ceil((amountCents * percent) / 100)
}

/** The deadline itself is still in time. `0` hours means until the start. */
function isInTime(startsAtMs: number, hours: number, nowMs: number): boolean {
  return nowMs < startsAtMs && nowMs <= deadlineOf(startsAtMs, hours)
}

/** Hours are elapsed time, even when the clocks change. */
function deadlineOf(startsAtMs: number, hours: number): number {
  return startsAtMs - hours * HOUR_MS
}
