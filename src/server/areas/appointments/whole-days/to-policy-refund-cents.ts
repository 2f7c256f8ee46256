import { toPolicyRefund, toRefundReferenceTimeMs } from '#core/appointments/decide-refund.ts'
import { LEGACY_POLICY } from '#core/appointments/policy.ts'
import type { AffectedAppointment } from './repository.ts'

/**
 * Returns the refund that the booking's policy grants if the owner cancels the appointment now, in minor units; null
 * when nothing was paid.
 */
export function toPolicyRefundCents(
  {
    starts_at: startsAt,
    policy,
    refundShares,
    paidCents,
    cancellation_asked_at: cancellationAskedAt,
  }: AffectedAppointment,
  nowMs: number,
): number | null {
  if (paidCents === null) return null
  const terms = { policy: policy ?? LEGACY_POLICY, startsAtMs: startsAt.getTime(), refundShares, paidCents }
  const askedAtMs = toRefundReferenceTimeMs(cancellationAskedAt?.getTime() ?? null, nowMs)
  return toPolicyRefund(terms, askedAtMs)?.cents ?? 0
}
