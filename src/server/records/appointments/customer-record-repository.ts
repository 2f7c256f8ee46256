import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { NEEDS_EVENT_RENAME_SQL, NEEDS_EVENT_WRITE_SQL } from './outbox-repository.ts'
import type { AppointmentKey } from './state-repository.ts'

export type CustomerKey = { readonly calendarId: string; readonly customerId: string }

export type CustomerRecord = {
  readonly client_id: string
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly created_at: Date
  readonly erased_at: Date | null
}

/** Returns the stored record of one customer; null when there is none. */
export async function findCustomerRecord(db: Db, key: CustomerKey): Promise<CustomerRecord | null> {
  return (await records(db, key).executeTakeFirst()) ?? null
}

/**
 * Like `findCustomerRecord`, but locks the row until the transaction ends. The caller has already locked the calendar.
 */
export async function lockCustomerRecord(trx: Trx, key: CustomerKey): Promise<CustomerRecord | null> {
  return (await records(trx, key).forUpdate().executeTakeFirst()) ?? null
}

function records(db: Db, { calendarId, customerId }: CustomerKey) {
  return db
    .selectFrom('customers')
    .select(['client_id', 'name', 'email', 'phone', 'created_at', 'erased_at'])
    .where('calendar_id', '=', calendarId)
    .where('id', '=', customerId)
}

/** True when the customer has an appointment that is not over, not cancelled and not an expired hold. */
export async function hasUpcomingAppointments(trx: Trx, key: CustomerKey, now: Date): Promise<boolean> {
  const row = await trx
    .selectFrom('appointments')
    .select('id')
    .where('calendar_id', '=', key.calendarId)
    .where('customer_id', '=', key.customerId)
    .where('ends_at', '>', now)
    .where('status', '<>', 'cancelled')
    .where('released_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Replaces the name of an erased customer. */
const ERASED_NAME = 'Erased customer'

/**
 * Erases all personal data of a customer and their appointments. Times, prices, statuses and reference numbers stay for
 * accounting. Events in external calendars are rewritten without the name. Source: rule R11.
 */
export async function eraseCustomerRecord(trx: Trx, key: CustomerKey, erasedAt: Date): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({
      customer_name: ERASED_NAME,
      customer_phone: null,
      customer_time_zone: null,
      // Replace every title, because a person may have typed it even when `typed_title` is null.
      title: sql<string>`coalesce(appointment_type_name, 'Appointment')`,
      typed_title: null,
      description: null,
      updated_at: erasedAt,
      needs_google_sync: NEEDS_EVENT_RENAME_SQL,
    })
    .where('calendar_id', '=', key.calendarId)
    .where('customer_id', '=', key.customerId)
    .execute()
  await trx
    .updateTable('customers')
    .set({ name: ERASED_NAME, email: null, phone: null, notes: null, erased_at: erasedAt })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.customerId)
    .execute()
}

/** The columns of an appointment that its customer can change. */
export type AppointmentDetailsChange = {
  readonly customer_phone?: string | null
  readonly customer_time_zone?: string | null
  readonly title?: string
  readonly typed_title?: string | null
  readonly description?: string | null
}

/**
 * Stores a customer's changes.
 * @returns true if the appointment's event in an external calendar has to be written
 */
export async function storeAppointmentDetails(
  trx: Trx,
  { calendarId, id }: AppointmentKey,
  change: AppointmentDetailsChange & { readonly updated_at: Date },
): Promise<boolean> {
  const { needs_google_sync: isNeeded } = await trx
    .updateTable('appointments')
    .set({ ...change, needs_google_sync: NEEDS_EVENT_WRITE_SQL })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .returning('needs_google_sync')
    .executeTakeFirstOrThrow()
  return isNeeded
}

/**
 * Deletes those of the customers who have no appointment. The caller has locked the calendar, so no booking can refer to
 * them meanwhile.
 */
export async function deleteCustomersWithoutAppointments(
  trx: Trx,
  calendarId: string,
  customerIds: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('customers')
    .where('calendar_id', '=', calendarId)
    .where('id', 'in', customerIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('appointments')
            .select('id')
            .whereRef('appointments.calendar_id', '=', 'customers.calendar_id')
            .whereRef('appointments.customer_id', '=', 'customers.id'),
        ),
      ),
    )
    .execute()
}
