import { createHash } from 'node:crypto'
import type { ConcernedAppointment } from './repository.ts'
import { toRefundByPolicy } from './to-refund-by-policy.ts'

/**
 * A hash of what an owner reads before a change of whole days: the appointments, their times, and what would go back to each customer
 * now. Counting the appointments is not enough, because one customer may cancel while another one books. Source: rule A21.
 */
export function toDigest(appointments: readonly ConcernedAppointment[], nowMs: number): string {
  const seen = appointments.map((one) => [
    one.id,
    one.startsAt.getTime(),
    one.sequence,
    one.status,
    one.paidCents,
    toRefundByPolicy(one, nowMs),
  ])
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
}
