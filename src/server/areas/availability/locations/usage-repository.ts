import { sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import { SerialisationFailure } from '#server/platform/db/pg-errors.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import {
  HAS_DETACHED_LOCATION,
  LONGEST_APPOINTMENT_MS,
} from '#server/records/appointments/taken-time-repository.ts'

/** The location and the present: its future is what has not ended at `now`. */
export type LocationFuture = { readonly locationId: string; readonly now: Date }

/**
 * The calendars that list the location (`is_primary` is null on those that do not), may use it, have a type there, or have
 * appointments there that have not ended, cancelled ones included; the asker's own first.
 */
export async function listLocationUses(db: Db, ownerId: OwnerId, place: LocationFuture) {
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

/** The locations that a calendar no longer may use, of its future appointments. They no longer name it (rule L11). */
export async function listWithdrawnLocations(
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

/** Every calendar on which a time at one of the locations could be taken or restored. Source: rule L7. */
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

/** Appointments at the locations that have not ended, also cancelled ones: those may be restored. */
function notEndedAt(db: Db, locationIds: readonly string[], now: Date) {
  return (
    db
      .selectFrom('appointments')
      // Appointments still name a deleted location, which counts as unused.
      .innerJoin('locations', 'locations.id', 'appointments.location_id')
      .where('appointments.location_id', 'in', locationIds)
      .where('appointments.ends_at', '>', now)
      // None is longer than this; the index is on the start.
      .where('appointments.starts_at', '>', new Date(now.getTime() - LONGEST_APPOINTMENT_MS))
  )
}

/**
 * Locks a location, and before it every calendar on which a time there could be taken or restored, in the order of
 * bookings. False when it is not the owner's.
 * @throws SerialisationFailure when a calendar began to use the location meanwhile
 */
export async function lockLocationWithCalendars(
  trx: Trx,
  ownerId: OwnerId,
  place: LocationFuture,
): Promise<boolean> {
  const locked = await listCalendarIdsAt(trx, [place.locationId], place.now)
  await lockCalendars(trx, locked)
  const row = await trx
    .selectFrom('locations')
    .select('id')
    .where('id', '=', place.locationId)
    .where('user_id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return false
  await refuseNewCalendars(trx, { locationIds: [place.locationId], now: place.now, locked })
  return true
}

/**
 * Locks all locations of an owner whose account is locked, and before them their calendars and those that `lockLocationWithCalendars`
 * would lock, in its order.
 * @returns the ids of the locations
 * @throws SerialisationFailure when a calendar began to use one of them meanwhile
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

/** Locks calendars in one order for everybody, so that no two wait for each other in a circle. */
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

/** Locking a calendar after the location would reverse the order of the locks. */
async function refuseNewCalendars(
  trx: Trx,
  { locationIds, now, locked }: { locationIds: readonly string[]; now: Date; locked: readonly string[] },
): Promise<void> {
  const present = await listCalendarIdsAt(trx, locationIds, now)
  if (present.some((id) => !locked.includes(id)))
    throw new SerialisationFailure('the place has a new calendar')
}

/** The calendars whose primary location this is. */
export async function listCalendarIdsOfPrimary(trx: Trx, locationId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('calendar_locations')
    .select('calendar_id')
    .where('location_id', '=', locationId)
    .where('is_primary', '=', true)
    .execute()
  return rows.map((row) => row.calendar_id)
}
