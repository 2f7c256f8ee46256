import { type ExpressionBuilder, sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { actingAs } from '#server/platform/db/acting-as.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type LocationRow = Awaited<ReturnType<typeof listLocations>>[number]
export type CalendarLocationRow = Awaited<ReturnType<typeof listCalendarLocations>>[number]

export type LocationValues = {
  readonly name: string
  readonly address: string | null
  readonly type: 'physical' | 'online'
  readonly shareable: boolean
  readonly exclusive: boolean
  /** The sharing code; null while the location is private. */
  readonly sharing_code: string | null
}

/** Lists the owner's own locations, by name. */
export async function listLocations(db: Db, ownerId: OwnerId) {
  return db
    .selectFrom('locations')
    .selectAll()
    .select(countGuests)
    .where('user_id', '=', ownerId)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .execute()
}

/** Finds one of the owner's own locations. Returns null for another owner's location, because locations are private. */
export async function findLocation(db: Db, ownerId: OwnerId, id: string): Promise<LocationRow | null> {
  const row = await db
    .selectFrom('locations')
    .selectAll()
    .select(countGuests)
    .where('id', '=', id)
    .where('user_id', '=', ownerId)
    .executeTakeFirst()
  return row ?? null
}

/** Lists the locations of a calendar, the primary one first, then by name. */
export async function listCalendarLocations(db: Db, calendarId: string) {
  return db
    .selectFrom('calendar_locations')
    .innerJoin('locations', 'locations.id', 'calendar_locations.location_id')
    .selectAll('locations')
    .select([
      'calendar_locations.id as calendar_location_id',
      'calendar_locations.calendar_id',
      'calendar_locations.is_primary',
    ])
    .select(countGuests)
    .where('calendar_locations.calendar_id', '=', calendarId)
    .orderBy('calendar_locations.is_primary', 'desc')
    .orderBy((eb) => eb.fn<string>('lower', ['locations.name']))
    .orderBy('calendar_locations.id')
    .execute()
}

/** Counts the calendars of other owners that may use the location. */
function countGuests(eb: ExpressionBuilder<Schema, 'locations'>) {
  return eb
    .selectFrom('location_guests')
    .select(sql<number>`count(*)::integer`.as('count'))
    .whereRef('location_guests.location_id', '=', 'locations.id')
    .as('guests')
}

/**
 * Locks the owner's account, so that two windows cannot create the same location twice. Returns false when the account
 * was deleted.
 */
export async function lockOwnerOfLocations(trx: Trx, ownerId: OwnerId): Promise<boolean> {
  const row = await trx
    .selectFrom('profiles')
    .select(['id', actingAs(ownerId).as('actor')])
    .where('id', '=', ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Locks a location that this owner may use on this calendar. Returns false when no such location exists. */
export async function lockUsableLocation(
  trx: Trx,
  use: { ownerId: OwnerId; calendarId: string; locationId: string },
): Promise<boolean> {
  const row = await trx
    .selectFrom('locations')
    .select('id')
    .where('id', '=', use.locationId)
    .where((eb) =>
      eb.or([
        eb('user_id', '=', use.ownerId),
        eb.exists(
          eb
            .selectFrom('calendar_locations')
            .select('calendar_locations.id')
            .whereRef('calendar_locations.location_id', '=', 'locations.id')
            .where('calendar_locations.calendar_id', '=', use.calendarId),
        ),
      ]),
    )
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Locks one of the owner's own locations by its id. Returns null when it does not exist. */
export async function lockOwnLocation(trx: Trx, ownerId: OwnerId, id: string): Promise<string | null> {
  const row = await trx
    .selectFrom('locations')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', ownerId)
    .forShare()
    .executeTakeFirst()
  return row?.id ?? null
}

/** Finds the owner's own location by name and address, ignoring case. Null when there is none. */
export async function findOwnLocationNamed(
  trx: Trx,
  ownerId: OwnerId,
  { name, address }: Pick<LocationValues, 'name' | 'address'>,
): Promise<string | null> {
  const row = await trx
    .selectFrom('locations')
    .select('id')
    .where('user_id', '=', ownerId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where(sql<boolean>`lower(coalesce(address, '')) = lower(${address ?? ''})`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Locks the location with this sharing code. Returns null when none has it. Source: rule L3. */
export async function lockLocationByCode(
  trx: Trx,
  code: string,
): Promise<{ id: string; user_id: string; guests: string[] } | null> {
  const row = await trx
    .selectFrom('locations')
    .select(['id', 'user_id'])
    .where('sharing_code', '=', code)
    // The lock makes calendars that start using the location wait for each other, so that their maximum number is not
    // exceeded.
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? null : { ...row, guests: await listGuestCalendars(trx, row.id) }
}

/** Allows a calendar of another owner to use a location. */
export async function insertGuestCalendar(
  trx: Trx,
  guest: { calendarId: string; locationId: string; createdAt: Date },
): Promise<void> {
  await trx
    .insertInto('location_guests')
    .values({ calendar_id: guest.calendarId, location_id: guest.locationId, created_at: guest.createdAt })
    .onConflict((conflict) => conflict.columns(['calendar_id', 'location_id']).doNothing())
    .execute()
}

/** Lists the calendars of other owners that may use a location. */
export async function listGuestCalendars(db: Db, locationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('location_guests')
    .select('calendar_id')
    .where('location_id', '=', locationId)
    .orderBy('calendar_id')
    .execute()
  return rows.map((row) => row.calendar_id)
}

export async function deleteGuestCalendars(
  trx: Trx,
  locationId: string,
  calendarIds: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('location_guests')
    .where('location_id', '=', locationId)
    .where('calendar_id', 'in', calendarIds)
    .execute()
}

export async function countLocations(db: Db, ownerId: OwnerId): Promise<number> {
  const { count } = await db
    .selectFrom('locations')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertLocation(
  trx: Trx,
  ownerId: OwnerId,
  location: LocationValues & { id: string; createdAt: Date },
): Promise<void> {
  const { id, createdAt: created_at, ...values } = location
  await trx
    .insertInto('locations')
    .values({ id, user_id: ownerId, created_at, ...values })
    .execute()
}

export async function updateLocation(trx: Trx, id: string, values: LocationValues): Promise<void> {
  await trx.updateTable('locations').set(values).where('id', '=', id).execute()
}

/**
 * Deletes a location. Calendars and types lose it; appointments are not changed.
 * @returns the deleted location
 */
export async function deleteLocationRow(
  trx: Trx,
  id: string,
): Promise<{ id: string; name: string; address: string | null }> {
  return trx
    .deleteFrom('locations')
    .where('id', '=', id)
    .returning(['id', 'name', 'address'])
    .executeTakeFirstOrThrow()
}

/** Adds a location to the calendar. Returns false when the calendar already has it. */
export async function tryInsertCalendarLocation(
  trx: Trx,
  use: { calendarId: string; id: string; locationId: string; isPrimary: boolean; createdAt: Date },
): Promise<boolean> {
  const row = await trx
    .insertInto('calendar_locations')
    .values({
      calendar_id: use.calendarId,
      id: use.id,
      location_id: use.locationId,
      is_primary: use.isPrimary,
      created_at: use.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['calendar_id', 'location_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes a location from a calendar and its types. Returns true if the calendar or one of its types had it. */
export async function removeFromCalendar(trx: Trx, calendarId: string, locationId: string): Promise<boolean> {
  const types = await trx
    .updateTable('appointment_types')
    .set({ location_id: null })
    .where('calendar_id', '=', calendarId)
    .where('location_id', '=', locationId)
    .executeTakeFirstOrThrow()
  const uses = await trx
    .deleteFrom('calendar_locations')
    .where('calendar_id', '=', calendarId)
    .where('location_id', '=', locationId)
    .executeTakeFirstOrThrow()
  return types.numUpdatedRows > 0n || uses.numDeletedRows > 0n
}

/** Makes one of the calendar's locations its primary one. */
export async function markLocationPrimary(
  trx: Trx,
  calendarId: string,
  calendarLocationId: string,
): Promise<void> {
  // Clear the old primary location first, because the unique index on it is checked row by row.
  await trx
    .updateTable('calendar_locations')
    .set({ is_primary: false })
    .where('calendar_id', '=', calendarId)
    .where('is_primary', '=', true)
    .where('id', '<>', calendarLocationId)
    .execute()
  await trx
    .updateTable('calendar_locations')
    .set({ is_primary: true })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', calendarLocationId)
    .execute()
}
