import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * SQL condition for a future appointment, which is neither cancelled nor started. Used to count appointments and to
 * notify customers. Unpaid holds do not match, unless the owner lets them wait for payment.
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
