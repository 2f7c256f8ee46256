import { sql } from 'kysely'
import type { TestAppointment } from '#contract/appointments/test-appointments.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { deleteCustomersWithoutAppointments } from './customer-record-repository.ts'

/** A test appointment, with the email address of its customer record. */
export type TestAppointmentRow = {
  readonly id: string
  readonly starts_at: Date
  readonly time_zone: string
  readonly hour_cycle: HourCycle
  readonly email: string
}

/**
 * Returns the test appointment of a calendar. Null when there is none, and when it is over or cancelled: then it is no
 * longer of use. Source: rule U34.
 */
export async function findTestAppointment(
  db: Db,
  calendarId: string,
  now: Date,
): Promise<TestAppointmentRow | null> {
  const { rows } = await sql<TestAppointmentRow>`
    select appointments.id, starts_at, time_zone, calendars.hour_cycle, customers.email
    from appointments
    join calendars on calendars.id = appointments.calendar_id
    join customers on customers.calendar_id = appointments.calendar_id and customers.id = appointments.customer_id
    where appointments.calendar_id = ${calendarId} and is_test and status <> 'cancelled' and ends_at > ${now}
      and customers.email is not null`.execute(db)
  return rows[0] ?? null
}

/** Converts a stored test appointment to the API's form. */
export function toTestAppointment(row: TestAppointmentRow): TestAppointment {
  return { ...row, starts_at: row.starts_at.toISOString() }
}

/** Returns the id of the first appointment type in the owner's order. Null when the calendar has none. */
export async function findFirstTypeId(db: Db, calendarId: string): Promise<string | null> {
  const row = await db
    .selectFrom('appointment_types')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .orderBy('position')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** The time that a deleted test appointment occupied. */
export type DeletedTestAppointment = {
  readonly id: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly prepare_minutes: number
  readonly wrap_up_minutes: number
  readonly conflict_location_id: string | null
}

/**
 * Deletes the test appointment of a calendar, and its customer if they have no other appointment. Null when there is no
 * test appointment. The caller has locked the calendar, so no booking can refer to the customer meanwhile.
 */
export async function deleteTestAppointment(
  trx: Trx,
  calendarId: string,
): Promise<DeletedTestAppointment | null> {
  const deleted = await trx
    .deleteFrom('appointments')
    .where('calendar_id', '=', calendarId)
    .where('is_test', '=', true)
    .returning([
      'id',
      'starts_at',
      'ends_at',
      'prepare_minutes',
      'wrap_up_minutes',
      'conflict_location_id',
      'customer_id',
    ])
    .executeTakeFirst()
  if (deleted === undefined) return null
  const { customer_id, ...occupied } = deleted
  await deleteCustomersWithoutAppointments(trx, calendarId, [customer_id])
  return occupied
}
