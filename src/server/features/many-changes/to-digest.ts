import { createHash } from 'node:crypto'
import type { ConcernedAppointment } from './repository.ts'
import { toRefundByPolicy } from './to-refund-by-policy.ts'

/**
 * Stands for what an owner reads before a change of whole days: which appointments there are, when, and what would go back to each
 * customer at that moment. A number of them would not do: one customer cancels, and another books. Source: rule A21.
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
