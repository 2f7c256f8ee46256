import { sql } from 'kysely'
import { LIMITS } from '#contract/limits.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { SerialisationFailure } from '#server/platform/db/pg-errors.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** What of a place is meant: its future is what has not ended at `now`. */
export type PlaceAt = { readonly locationId: string; readonly now: Date }

/** The calendars that list the place, have a type there, or appointments that have not ended; the asker's own first. */
export async function listUses(db: Db, ownerId: OwnerId, place: PlaceAt) {
  const calendarIds = await listCalendarIdsAt(db, place)
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
        futureAt(db, place)
          .select(sql<number>`count(*)::integer`.as('count'))
          .where('appointments.calendar_id', '=', eb.ref('calendars.id'))
          .where('appointments.status', '<>', 'cancelled')
          .where('appointments.released_at', 'is', null)
          .as('future_appointments'),
    ])
    .where('calendars.id', 'in', calendarIds)
    .orderBy((eb) => eb('calendars.user_id', '<>', ownerId))
    .orderBy((eb) => eb.fn<string>('lower', ['calendars.name']))
    .orderBy('calendars.id')
    .execute()
}

/** Every calendar on which a time at the place could be taken or revived. */
async function listCalendarIdsAt(db: Db, place: PlaceAt): Promise<string[]> {
  const rows = await db
    .selectFrom('calendar_locations')
    .select('calendar_id')
    .where('location_id', '=', place.locationId)
    .union(
      db.selectFrom('appointment_types').select('calendar_id').where('location_id', '=', place.locationId),
    )
    .union(futureAt(db, place).select('appointments.calendar_id'))
    .execute()
  return rows.map((row) => row.calendar_id)
}

/** Appointments at the place that have not ended, also cancelled ones: those may be restored. */
function futureAt(db: Db, { locationId, now }: PlaceAt) {
  return (
    db
      .selectFrom('appointments')
      .where('appointments.location_id', '=', locationId)
      .where('appointments.ends_at', '>', now)
      // None is longer than this; the index is on the start.
      .where('appointments.starts_at', '>', new Date(now.getTime() - LONGEST_MS))
  )
}

const LONGEST_MS = LIMITS.typeDurationMax * 60_000

/**
 * Locks a place, and before it every calendar on which a time there could be taken or revived, in the order that
 * bookings take them. False when it is not the owner's.
 * @throws SerialisationFailure when a calendar began to use the place meanwhile
 */
export async function lockPlace(trx: Trx, ownerId: OwnerId, place: PlaceAt): Promise<boolean> {
  const locked = await listCalendarIdsAt(trx, place)
  if (locked.length > 0) {
    await trx
      .selectFrom('calendars')
      .select('id')
      .where('id', 'in', locked)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  }
  const row = await trx
    .selectFrom('locations')
    .select('id')
    .where('id', '=', place.locationId)
    .where('user_id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return false
  const present = await listCalendarIdsAt(trx, place)
  // To lock their calendar now would turn the order of the locks round.
  if (present.some((id) => !locked.includes(id)))
    throw new SerialisationFailure('the place has a new calendar')
  return true
}

/** The calendars whose primary place this is. */
export async function listCalendarIdsOfPrimary(trx: Trx, locationId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('calendar_locations')
    .select('calendar_id')
    .where('location_id', '=', locationId)
    .where('is_primary', '=', true)
    .execute()
  return rows.map((row) => row.calendar_id)
}

/** The place no longer has one appointment at a time: those to come stop excluding each other. */
export async function releasePlace(trx: Trx, { locationId, now }: PlaceAt): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({ conflict_location_id: null })
    .where('location_id', '=', locationId)
    .where('ends_at', '>', now)
    .where('conflict_location_id', 'is not', null)
    .execute()
}

/**
 * The place has one appointment at a time from now on. Appointments to come are put under the constraint, except those
 * that overlap already: they stay as they are, and count as busy all the same (`listLocationBusy`). Cancelled ones and
 * ended holds are put under it too, for the day they are revived.
 */
export async function claimPlace(trx: Trx, { locationId, now }: PlaceAt): Promise<void> {
  await trx
    .updateTable('appointments as mine')
    .set({ conflict_location_id: locationId })
    .where('mine.location_id', '=', locationId)
    .where('mine.ends_at', '>', now)
    .where('mine.is_online', '=', false)
    .where((eb) =>
      eb.or([
        eb('mine.status', '=', 'cancelled'),
        eb('mine.released_at', 'is not', null),
        eb.not(
          eb.exists(
            eb
              .selectFrom('appointments as other')
              .select('other.id')
              .where('other.location_id', '=', locationId)
              .where('other.status', '<>', 'cancelled')
              .where('other.released_at', 'is', null)
              .whereRef('other.id', '<>', 'mine.id')
              .whereRef('other.starts_at', '<', 'mine.ends_at')
              .whereRef('other.ends_at', '>', 'mine.starts_at')
              .where(
                'other.starts_at',
                '>',
                sql<Date>`mine.starts_at - make_interval(mins => ${LIMITS.typeDurationMax})`,
              ),
          ),
        ),
      ]),
    )
    .execute()
}
