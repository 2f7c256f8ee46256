import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { hasUncheckedExternalCalendarSql } from '#server/records/slots/external-repository.ts'

/**
 * Requests a scan of the waiting lists of calendars on which times became free. Only calendars are included that have
 * waiting requests, or whose freed appointment was booked through an offer. A scan that is starting waits for this
 * transaction to end, so the scan misses no freed time. A calendar that is being deleted gets no request. `asked_at` is
 * the earliest time of the scan, by the database's clock, as for its jobs.
 * @returns the calendars that need a new job: no request existed, or the existing job would run too early for this one
 */
export async function requestScansForFreedTimes(
  trx: Trx,
  calendarIds: readonly string[],
  { appointmentId, afterSeconds }: { readonly appointmentId: string | null; readonly afterSeconds: number },
): Promise<string[]> {
  const isConcerned = sql`exists (
      select from waiting_entries where calendar_id = calendars.id and state in ('waiting', 'offered')
    )
    or exists (
      select from waiting_offers
      where calendar_id = calendars.id and booked_appointment_id = ${appointmentId}::uuid
    )`
  const noted = await writeNotes(trx, calendarIds, { isConcerned, afterSeconds })
  return noted.filter(({ is_new }) => is_new || afterSeconds > 0).map(({ calendar_id }) => calendar_id)
}

/**
 * Requests a scan of the waiting lists of calendars on which times were taken. Only calendars are included where a
 * customer has an offer without a hold.
 * @returns the calendars that need a new job
 */
export async function requestScansForTakenTimes(trx: Trx, calendarIds: readonly string[]): Promise<string[]> {
  const isConcerned = sql`exists (
      select from waiting_offers
      where calendar_id = calendars.id and state = 'open' and held_appointment_id is null
    )`
  const noted = await writeNotes(trx, calendarIds, { isConcerned, afterSeconds: 0 })
  return noted.filter(({ is_new }) => is_new).map(({ calendar_id }) => calendar_id)
}

/**
 * Upserts scan requests. `is_new` is true when a calendar had no request, or one by `insertDeferredScanRequest`,
 * because no job is queued for those.
 */
async function writeNotes(
  trx: Trx,
  calendarIds: readonly string[],
  { isConcerned, afterSeconds }: { readonly isConcerned: RawBuilder<unknown>; readonly afterSeconds: number },
): Promise<{ readonly calendar_id: string; readonly is_new: boolean }[]> {
  const { rows } = await sql<{ calendar_id: string; is_new: boolean }>`
    with kept as (
      select calendar_id from waiting_looks where is_kept and calendar_id = any (${[...calendarIds]}::uuid[])
    )
    insert into waiting_looks (calendar_id, asked_at)
    select id, now() + make_interval(secs => ${afterSeconds}::integer) from calendars
    where id = any (${[...calendarIds]}::uuid[]) and (${isConcerned})
    order by id for key share
    on conflict (calendar_id) do update
      set asked_at = greatest(waiting_looks.asked_at, excluded.asked_at), is_kept = false
    returning calendar_id, xmax = 0 or calendar_id in (select calendar_id from kept) as is_new`.execute(trx)
  return rows
}

/** Inserts a scan request without a job, unless the calendar has a request already. The periodic sweep picks it up. */
export async function insertDeferredScanRequest(db: Db, calendarId: string): Promise<void> {
  await sql`
    insert into waiting_looks (calendar_id, is_kept)
    select id, true from calendars where id = ${calendarId} for key share
    on conflict (calendar_id) do nothing`.execute(db)
}

/**
 * Deletes the scan request of a calendar that is due, right before its waiting list is scanned. `clock_timestamp()` is
 * used, and not the statement's start, because the statement may have waited while a concurrent request was written.
 */
export async function clearScanRequest(db: Db, calendarId: string): Promise<void> {
  await db
    .deleteFrom('waiting_looks')
    .where('calendar_id', '=', calendarId)
    .where('asked_at', '<=', sql<Date>`clock_timestamp()`)
    .execute()
}

/** True when the calendar has a scan request that is not due yet. */
export async function hasFutureScanRequest(db: Db, calendarId: string): Promise<boolean> {
  const row = await db
    .selectFrom('waiting_looks')
    .select('calendar_id')
    .where('calendar_id', '=', calendarId)
    .where('asked_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Lists the calendars whose scan request is older than `before`: their job was lost, or they never had one. A deferred
 * request is left out until the calendar's external calendars can be checked.
 */
export async function listOverdueScanRequests(
  db: Db,
  { before, now, limit }: { readonly before: Date; readonly now: Date; readonly limit: number },
): Promise<string[]> {
  const isUnchecked = hasUncheckedExternalCalendarSql(
    'waiting_looks.calendar_id',
    `timestamptz '${now.toISOString()}'`,
  )
  const rows = await db
    .selectFrom('waiting_looks')
    .select('calendar_id')
    .where('asked_at', '<', before)
    .where(sql<boolean>`not (is_kept and ${sql.raw(isUnchecked)})`)
    .orderBy('asked_at')
    .limit(limit)
    .execute()
  return rows.map(({ calendar_id }) => calendar_id)
}

/** Lists the calendars that use any of these locations, including those of other owners. */
export async function listCalendarsAtLocations(db: Db, locationIds: readonly string[]): Promise<string[]> {
  if (locationIds.length === 0) return []
  const rows = await db
    .selectFrom('calendar_locations')
    .select('calendar_id')
    .where('location_id', 'in', locationIds)
    .union(db.selectFrom('appointment_types').select('calendar_id').where('location_id', 'in', locationIds))
    .execute()
  return rows.map(({ calendar_id }) => calendar_id)
}

/** Lists all calendars of the calendar's person, including that calendar. */
export async function listCalendarsOfPerson(db: Db, calendarId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('calendars')
    .select('id')
    .where(({ eb, selectFrom }) =>
      eb(
        'host_id',
        '=',
        selectFrom('calendars as own').select('own.host_id').where('own.id', '=', calendarId),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the locations of a calendar's upcoming appointments. */
export async function listBookedLocations(db: Db, calendarId: string, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('appointments')
    .select('location_id')
    .distinct()
    .where('calendar_id', '=', calendarId)
    .where('ends_at', '>', now)
    .where('status', '<>', 'cancelled')
    .where('location_id', 'is not', null)
    .$narrowType<{ location_id: string }>()
    .execute()
  return rows.map(({ location_id }) => location_id)
}

/**
 * Lists the calendars on which an external calendar blocks times: all calendars of each person who has a calendar that
 * uses it.
 */
export async function listCalendarsBlockedByExternalCalendar(
  db: Db,
  externalCalendarId: string,
): Promise<string[]> {
  const rows = await listCalendarsOfUsers(db)
    .where('used.external_calendar_id', '=', externalCalendarId)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the calendars on which the external calendars of some connections block times. */
export async function listCalendarsBlockedByConnections(
  db: Db,
  connectionIds: readonly string[],
): Promise<string[]> {
  const rows = await listCalendarsOfUsers(db)
    .innerJoin('external_calendars as external', 'external.id', 'used.external_calendar_id')
    .where('external.connection_id', 'in', connectionIds)
    .execute()
  return rows.map(({ id }) => id)
}

function listCalendarsOfUsers(db: Db) {
  return db
    .selectFrom('used_external_calendars as used')
    .innerJoin('calendars as reader', 'reader.id', 'used.calendar_id')
    .innerJoin('calendars', 'calendars.host_id', 'reader.host_id')
    .select('calendars.id')
    .distinct()
}
