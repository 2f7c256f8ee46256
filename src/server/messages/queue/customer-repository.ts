import type { Trx } from '#server/platform/db/transaction.ts'
import type { CustomerKey } from '#server/records/appointments/customer-record-repository.ts'
import { type LedgerMessageJob, toLedgerMessageJobs } from './message-job.ts'
import { CLEARED_WAIT_COLUMNS } from './repository.ts'

/** Drops all unsent messages to a customer whose email address is being erased. Source: rule R11. */
export async function dropUnsentMessagesToCustomer(trx: Trx, key: CustomerKey, now: Date): Promise<void> {
  await unsent(trx, key)
    .set({
      state: 'dropped',
      drop_reason: 'no_address',
      last_error: null,
      ...CLEARED_WAIT_COLUMNS,
      updated_at: now,
    })
    .execute()
}

/** Drops messages that make sense only at the customer's former address. Source: rule D13. */
export async function dropMessagesToEarlierAddress(trx: Trx, key: CustomerKey, now: Date): Promise<void> {
  await unsent(trx, key)
    .set({
      state: 'dropped',
      drop_reason: 'outdated',
      last_error: null,
      ...CLEARED_WAIT_COLUMNS,
      updated_at: now,
    })
    .where('kind', 'in', ['customer_code', 'new_address'])
    .execute()
}

/**
 * Queues a customer's waiting messages, because the email address that made them wait was replaced. Source: rule D13.
 */
export async function queueWaitingMessagesToCustomer(
  trx: Trx,
  key: CustomerKey,
  now: Date,
): Promise<LedgerMessageJob[]> {
  const rows = await unsent(trx, key)
    .set({ state: 'queued', ...CLEARED_WAIT_COLUMNS, updated_at: now })
    .where('state', '=', 'waiting')
    .returning(['id', 'repeat'])
    .execute()
  return toLedgerMessageJobs(key.calendarId, rows)
}

/** Selects all unsent messages to a customer, about any of their appointments. */
function unsent(trx: Trx, { calendarId, customerId }: CustomerKey) {
  return trx
    .updateTable('appointment_messages')
    .where('calendar_id', '=', calendarId)
    .where('recipient', '=', 'customer')
    .where('state', 'in', ['queued', 'waiting', 'failed'])
    .where('appointment_id', 'in', ({ selectFrom }) =>
      selectFrom('appointments')
        .select('appointments.id')
        .where('appointments.calendar_id', '=', calendarId)
        .where('appointments.customer_id', '=', customerId),
    )
}
