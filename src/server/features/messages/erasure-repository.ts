import type { CustomerKey } from '#server/features/appointments/customer-record-repository.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { NO_WAIT } from './repository.ts'

/** Takes back the messages to a customer that have not left, because the address is erased. Source: rule R11. */
export async function dropMessagesTo(trx: Trx, key: CustomerKey, now: Date): Promise<void> {
  await trx
    .updateTable('appointment_messages')
    .set({ state: 'dropped', drop_reason: 'no_address', last_error: null, ...NO_WAIT, updated_at: now })
    .where('calendar_id', '=', key.calendarId)
    .where('recipient', '=', 'customer')
    .where('state', 'in', ['queued', 'waiting', 'failed'])
    .where('appointment_id', 'in', ({ selectFrom }) =>
      selectFrom('appointments')
        .select('appointments.id')
        .where('appointments.calendar_id', '=', key.calendarId)
        .where('appointments.customer_id', '=', key.customerId),
    )
    .execute()
}
