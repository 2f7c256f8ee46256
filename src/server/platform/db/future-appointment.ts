import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * The condition of a future appointment, wherever they are counted or their customers are told: it takes place and has
 * not begun. A cancelled one does not count. An unpaid hold does not either, unless the owner has set it to wait for
 * its payment.
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
