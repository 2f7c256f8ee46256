import { createHash } from 'node:crypto'
import type { AffectedAppointment } from './repository.ts'
import { toPolicyRefundCents } from './to-policy-refund-cents.ts'

/**
 * A hash of the preview that an owner sees before a change of whole days: the appointments, their times and the refund of each.
 * A count is not enough, because one customer may cancel while another one books. Source: rule A21.
 */
export function toEffectDigest(appointments: readonly AffectedAppointment[], nowMs: number): string {
  const seen = appointments.map((one) => [
    one.id,
    one.startsAt.getTime(),
    one.sequence,
    one.status,
    one.paidCents,
    toPolicyRefundCents(one, nowMs),
  ])
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
}
