import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * What a future appointment is, wherever they are counted or their customers are told: one that is to take place and has
 * not begun. A cancelled one is none, nor is an unpaid hold, unless the owner has it waiting for its payment.
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
