import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * SQL condition for a future appointment, used for counts and for notifying customers: not cancelled and not started.
 * Unpaid holds do not count, unless the owner has set them to wait for payment.
 */
export function isFutureAppointment(now: Date): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'appointments'>()
  return eb.and([
    eb('appointments.starts_at', '>', now),
    eb('appointments.released_at', 'is', null),
    eb('appointments.status', '<>', 'cancelled'),
    eb.or([
      eb('appointments.status', '<>', 'pending_payment'),
      eb('appointments.hold_expires_at', 'is', null),
    ]),
  ])
}
