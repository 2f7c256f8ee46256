import { sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { actingAs } from '#server/platform/db/acting-as.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import { SerialisationFailure } from '#server/platform/db/pg-errors.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import {
  HAS_DETACHED_LOCATION,
  LONGEST_APPOINTMENT_MS,
} from '#server/records/appointments/taken-time-repository.ts'

/** A location and the current time. Its upcoming appointments are those that are not over at `now`. */
export type LocationAtTime = { readonly locationId: string; readonly now: Date }

/**
 * Lists the calendars that a location affects: those that list it (`is_primary` is null for the others), may use it,
 * have a type there, or have upcoming appointments there, including cancelled ones. The caller's own calendars come
 * first.
 */
export async function listLocationUses(db: Db, ownerId: OwnerId, place: LocationAtTime) {
  const calendarIds = await listCalendarIdsAt(db, [place.locationId], place.now)
  if (calendarIds.length === 0) return []
  return db
    .selectFrom('calendars')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .leftJoin('calendar_locations', (join) =>
      join
        .onRef('calendar_locations.calendar_id', '=', 'calendars.id')
        .on('calendar_locations.location_id', '=', place.locationId),
    )
    .select([
      'calendars.id',
      'calendars.name',
      'calendars.user_id',
      'profiles.full_name as owner_name',
      'calendar_locations.is_primary',
      (eb) =>
        eb
          .selectFrom('appointment_types')
          .select(sql<number>`count(*)::integer`.as('count'))
          .whereRef('appointment_types.calendar_id', '=', 'calendars.id')
          .where('appointment_types.location_id', '=', place.locationId)
          .as('appointment_types'),
      (eb) =>
        eb
          .selectFrom('appointments')
          .select(sql<number>`count(*)::integer`.as('count'))
          .where('appointments.location_id', '=', place.locationId)
          .whereRef('appointments.calendar_id', '=', 'calendars.id')
          .where(isFutureAppointment(place.now))
          .as('future_appointments'),
    ])
    .where('calendars.id', 'in', calendarIds)
    .orderBy((eb) => eb('calendars.user_id', '<>', ownerId))
    .orderBy((eb) => eb.fn<string>('lower', ['calendars.name']))
    .orderBy('calendars.id')
    .execute()
}

/**
 * Lists the locations to which a calendar has lost access, and whose name and address its future appointments still
 * contain as text (rule L11).
 */
export async function listInaccessibleLocations(
  db: Db,
  calendarId: string,
  now: Date,
): Promise<{ name: string; address: string | null; future_appointments: number }[]> {
  const rows = await db
    .selectFrom('appointments')
    .select([
      'location_name as name',
      'location_address as address',
      sql<number>`count(*)::integer`.as('count'),
    ])
    .where('calendar_id', '=', calendarId)
    .where(HAS_DETACHED_LOCATION)
    .where(isFutureAppointment(now))
    .groupBy(['location_name', 'location_address'])
    .orderBy('location_name')
    .execute()
  return rows.map(({ name, address, count }) => ({ name: name ?? '', address, future_appointments: count }))
}

/**
 * Lists every calendar on which an appointment at one of the locations could be booked or restored. Source: rule L7.
 */
async function listCalendarIdsAt(db: Db, locationIds: readonly string[], now: Date): Promise<string[]> {
  if (locationIds.length === 0) return []
  const rows = await db
    .selectFrom('calendar_locations')
    .select('calendar_id')
    .where('location_id', 'in', locationIds)
    .union(db.selectFrom('appointment_types').select('calendar_id').where('location_id', 'in', locationIds))
    .union(db.selectFrom('location_guests').select('calendar_id').where('location_id', 'in', locationIds))
    .union(notEndedAt(db, locationIds, now).select('appointments.calendar_id'))
    .execute()
  return rows.map((row) => row.calendar_id)
}

/** Selects upcoming appointments at the locations, including cancelled ones, because they may be restored. */
function notEndedAt(db: Db, locationIds: readonly string[], now: Date) {
  return (
    db
      .selectFrom('appointments')
      // The join leaves out deleted locations, which appointments may still refer to.
      .innerJoin('locations', 'locations.id', 'appointments.location_id')
      .where('appointments.location_id', 'in', locationIds)
      .where('appointments.ends_at', '>', now)
      // No appointment is longer than this, so the bound lets PostgreSQL use the index on the start.
      .where('appointments.starts_at', '>', new Date(now.getTime() - LONGEST_APPOINTMENT_MS))
  )
}

/**
 * Locks a location, and before it every calendar on which an appointment there could be booked or restored, in the same
 * order as bookings do. Returns false when the location is not the owner's.
 * @throws SerialisationFailure when a calendar started using the location in the meantime
 */
export async function lockLocationWithCalendars(
  trx: Trx,
  ownerId: OwnerId,
  place: LocationAtTime,
): Promise<boolean> {
  const locked = await listCalendarIdsAt(trx, [place.locationId], place.now)
  await lockCalendars(trx, locked)
  const row = await trx
    .selectFrom('locations')
    .select(['id', actingAs(ownerId).as('actor')])
    .where('id', '=', place.locationId)
    .where('user_id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return false
  await refuseNewCalendars(trx, { locationIds: [place.locationId], now: place.now, locked })
  return true
}

/**
 * Locks all locations of an owner, and before them the owner's calendars and those that `lockLocationWithCalendars`
 * would lock, in the same order. The caller has locked the account.
 * @returns the ids of the locations
 * @throws SerialisationFailure when a calendar started using one of the locations in the meantime
 */
export async function lockLocationsWithCalendars(trx: Trx, ownerId: OwnerId, now: Date): Promise<string[]> {
  const places = trx.selectFrom('locations').select('id').where('user_id', '=', ownerId).orderBy('id')
  const locationIds = (await places.execute()).map((row) => row.id)
  const own = await trx.selectFrom('calendars').select('id').where('user_id', '=', ownerId).execute()
  const locked = [...own.map((row) => row.id), ...(await listCalendarIdsAt(trx, locationIds, now))]
  await lockCalendars(trx, locked)
  await places.forUpdate().execute()
  await refuseNewCalendars(trx, { locationIds, now, locked })
  return locationIds
}

/** Locks calendars in a fixed order, so that transactions cannot deadlock. */
export async function lockCalendars(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .selectFrom('calendars')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Throws if a calendar has started using the location since: locking that calendar now, after the location, would
 * reverse the lock order.
 */
async function refuseNewCalendars(
  trx: Trx,
  { locationIds, now, locked }: { locationIds: readonly string[]; now: Date; locked: readonly string[] },
): Promise<void> {
  const present = await listCalendarIdsAt(trx, locationIds, now)
  if (present.some((id) => !locked.includes(id)))
    throw new SerialisationFailure('the place has a new calendar')
}

/** Lists the calendars that have this location as their primary one. */
export async function listCalendarIdsOfPrimary(trx: Trx, locationId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('calendar_locations')
    .select('calendar_id')
    .where('location_id', '=', locationId)
    .where('is_primary', '=', true)
    .execute()
  return rows.map((row) => row.calendar_id)
}
