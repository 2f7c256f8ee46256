import { type Selectable, sql } from 'kysely'
import { limitsSql } from '#server/areas/availability/booking-limits/repository.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { typeHoursSql } from './hours-repository.ts'

export type AppointmentTypeRow = Awaited<ReturnType<typeof listAppointmentTypes>>[number]

/** All columns of a type that its owner can set. */
export type AppointmentTypeValues = Omit<
  Selectable<Schema['appointment_types']>,
  'calendar_id' | 'id' | 'position' | 'created_at' | 'updated_at'
>

/** Lists the types of a calendar in its owner's order, each with its location. Source: rule C18. */
export async function listAppointmentTypes(db: Db, calendarId: string) {
  return appointmentTypes(db)
    .where('appointment_types.calendar_id', '=', calendarId)
    .orderBy('appointment_types.position')
    .orderBy('appointment_types.id')
    .execute()
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
    .select(
      limitsSql(sql.ref('appointment_types.calendar_id'), sql.ref('appointment_types.id')).as(
        'booking_limits',
      ),
    )
    .select(
      typeHoursSql(sql.ref('appointment_types.calendar_id'), sql.ref('appointment_types.id')).as('hours'),
    )
}

export async function countAppointmentTypes(db: Db, calendarId: string): Promise<number> {
  const { count } = await db
    .selectFrom('appointment_types')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('calendar_id', '=', calendarId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Inserts a type after all others of its calendar. The caller has locked the calendar. */
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
      position: (eb) =>
        eb
          .selectFrom('appointment_types')
          .select(sql<number>`coalesce(max(position) + 1, 0)`.as('position'))
          .where('calendar_id', '=', key.calendarId),
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
 * Puts the types of a calendar in the order of `ids`. Types that are not in `ids` follow in their present order. Ids of other
 * types are ignored. The caller has locked the calendar.
 */
export async function updateTypeOrder(db: Db, calendarId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update appointment_types as types set position = ordered.position
    from (
      select id, row_number() over (order by array_position(${ids}::uuid[], id), position, id) - 1 as position
      from appointment_types where calendar_id = ${calendarId}
    ) as ordered
    where types.calendar_id = ${calendarId} and types.id = ordered.id
      and types.position <> ordered.position`.execute(db)
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
  const { policy, series_rule: rule } = values
  return {
    ...values,
    policy: policy === null ? null : JSON.stringify(policy),
    series_rule: rule === null ? null : JSON.stringify(rule),
  }
}
