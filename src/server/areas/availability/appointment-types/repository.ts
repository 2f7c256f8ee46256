import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import type { Schema } from '#server/platform/db/schema.ts'

export type AppointmentTypeRow = Awaited<ReturnType<typeof listAppointmentTypes>>[number]

/** All columns of a type that its owner can set. */
export type AppointmentTypeValues = Omit<
  Selectable<Schema['appointment_types']>,
  'calendar_id' | 'id' | 'created_at' | 'updated_at'
>

/** Lists the types of a calendar by name, each with its location. */
export async function listAppointmentTypes(db: Db, calendarId: string) {
  return (
    appointmentTypes(db)
      .where('appointment_types.calendar_id', '=', calendarId)
      // Sort case-insensitively, because the database's collation may put capitals first.
      .orderBy((eb) => eb.fn<string>('lower', ['appointment_types.name']))
      .orderBy('appointment_types.id')
      .execute()
  )
}

export async function findAppointmentType(
  db: Db,
  calendarId: string,
  id: string,
): Promise<AppointmentTypeRow | null> {
  const row = await appointmentTypes(db)
    .where('appointment_types.calendar_id', '=', calendarId)
    .where('appointment_types.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

function appointmentTypes(db: Db) {
  return db
    .selectFrom('appointment_types')
    .leftJoin('locations', 'locations.id', 'appointment_types.location_id')
    .selectAll('appointment_types')
    .select([
      'locations.name as location_name',
      'locations.address as location_address',
      'locations.type as location_type',
    ])
}

export async function countAppointmentTypes(db: Db, calendarId: string): Promise<number> {
  const { count } = await db
    .selectFrom('appointment_types')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('calendar_id', '=', calendarId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertAppointmentType(
  db: Db,
  key: { calendarId: string; id: string },
  values: AppointmentTypeValues,
): Promise<void> {
  await db
    .insertInto('appointment_types')
    .values({
      calendar_id: key.calendarId,
      id: key.id,
      ...toColumns(values),
    })
    .execute()
}

/** Counts the future appointments of a type. */
export async function countFutureAppointments(
  db: Db,
  key: { calendarId: string; id: string },
  now: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('appointments')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('calendar_id', '=', key.calendarId)
    .where('appointment_type_id', '=', key.id)
    .where(isFutureAppointment(now))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Changes a type. Existing appointments keep the agreed name, price and duration. Returns false when the type does not
 * exist. Source: rule B12.
 */
export async function updateAppointmentType(
  db: Db,
  key: { calendarId: string; id: string },
  values: AppointmentTypeValues,
  updatedAt: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('appointment_types')
    .set({ ...toColumns(values), updated_at: updatedAt })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Deletes a type. Its appointments keep a copy of the agreed name, price and duration. Returns false when the type does
 * not exist. Source: rule C15.
 */
export async function deleteAppointmentTypeRow(
  db: Db,
  key: { calendarId: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('appointment_types')
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

function toColumns(values: AppointmentTypeValues) {
  return { ...values, policy: values.policy === null ? null : JSON.stringify(values.policy) }
}
