import { sql } from 'kysely'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CalendarToRead, StoredBusyTime } from '#server/ports/external-calendar.ts'
import { selectReadExternalCalendarIds } from '#server/records/slots/external-repository.ts'
import { selectOwnerEmail, selectReaderZones } from './zone-repository.ts'

/** An external calendar whose busy times count for a calendar, and whose copy may be outdated. */
export type StaleCalendar = CalendarToRead & { readonly id: string; readonly connectionId: string }

/** An interval, and the time after which a response about it counts as fresh. */
type FreshAnswer = { readonly during: Interval; readonly freshSince: Date }

/** Identifies a calendar, by its booking link or by its id. */
export type CalendarIdentifier = { readonly slug: string } | { readonly id: string }

/** SQL for the external calendars read by any calendar of the calendar's person. Source: rule G31. */
const READ_SQL = (calendarId: string) => `external_calendars as external
  join calendar_connections as connection on connection.id = external.connection_id
  cross join lateral (select ${selectReaderZones('external.id')} as "readerZones") as zones
  where external.id in (${selectReadExternalCalendarIds(calendarId)}) and not external.is_gone`

/** SQL that is true when, since $2, such a calendar was neither synced nor checked for the time from $3 to $4. */
const IS_STALE = `(external.synced_at is null or external.synced_at < $2
      or external.time_zone is null and external.read_in_zones is distinct from zones."readerZones")
    and (external.checked_at is null or external.checked_at < $2
      or external.checked_from > $3 or external.checked_until < $4)`

const STALE_SQL = (calendarId: string) => `
  select external.id, external.connection_id as "connectionId", external.external_id as "externalId",
    external.time_zone as "timeZone", zones."readerZones",
    ${selectOwnerEmail('connection.id')} as "ownerEmail"
  from ${READ_SQL(calendarId)} and connection.state = 'active'
    and ${IS_STALE}
    and (connection.failed_at is null or connection.failed_at < $5)
    and (connection.paused_until is null or connection.paused_until <= $6)`

const selectStale = prepareStatement<StaleCalendar>('stale-external-calendars', STALE_SQL('$1'))
const selectStaleBySlug = prepareStatement<StaleCalendar>(
  'stale-external-calendars-by-slug',
  STALE_SQL('(select id from calendars where slug = $1)'),
)

/**
 * Lists the stale external calendars whose busy times count for a calendar. A calendar is stale when, since
 * `freshSince`, it was neither synced (in the zones that its readers have now) nor checked for the whole interval.
 * Connections that failed since `failedSince`, or whose provider requested a pause, are left out, because they would
 * not respond now.
 */
export function listStaleCalendars(
  db: Db,
  asked: FreshAnswer & {
    readonly calendar: CalendarIdentifier
    readonly failedSince: Date
    readonly now: Date
  },
): Promise<StaleCalendar[]> {
  const { calendar, during, freshSince, failedSince, now } = asked
  const times = [freshSince, new Date(during.startMs), new Date(during.endMs), failedSince, now]
  return 'slug' in calendar
    ? selectStaleBySlug(db, [calendar.slug, ...times])
    : selectStale(db, [calendar.id, ...times])
}

const selectVerified = prepareStatement<{ is_verified: boolean }>(
  'external-calendars-verified',
  `select not exists (
    select from ${READ_SQL('$1')} and (external.missing_since is not null or ${IS_STALE})
  ) as is_verified`,
)

/**
 * True when every external calendar that counts for a calendar was synced, or checked for the whole interval, since
 * `freshSince`. Why a calendar is stale, and the owner's settings, do not matter. Source: rule G28.
 */
export async function areAllCalendarsFresh(
  db: Db,
  calendarId: string,
  { during, freshSince }: FreshAnswer,
): Promise<boolean> {
  const [row] = await selectVerified(db, [
    calendarId,
    freshSince,
    new Date(during.startMs),
    new Date(during.endMs),
  ])
  return row?.is_verified ?? false
}

/**
 * Records that a connection did not respond to a check before a booking, and schedules a sync soon, or when the pause
 * requested by the provider ends. Source: rules G7 and G8.
 */
export async function recordMissingResponse(
  db: Db,
  {
    connectionId,
    problem,
    at,
    pausedUntil,
  }: {
    readonly connectionId: string
    readonly problem: string
    readonly at: Date
    readonly pausedUntil: Date | null
  },
): Promise<void> {
  await db
    .updateTable('calendar_connections')
    .set((row) => ({
      problem,
      // Do not increase the count with every booking, because it determines the pause before the next sync.
      failed_attempts: row.fn<number>('greatest', ['failed_attempts', row.lit(1)]),
      failed_at: at,
      // SQL's `greatest` and `least` ignore null.
      paused_until: row.fn<Date | null>('greatest', ['paused_until', row.val(pausedUntil)]),
      next_sync_at: sql<Date>`greatest(
        least(next_sync_at, ${new Date(at.getTime() + MINUTE_MS)}::timestamptz), paused_until,
        ${pausedUntil}::timestamptz
      )`,
    }))
    .where('id', '=', connectionId)
    .where('state', '=', 'active')
    .execute()
}

/** Locks a connection until the transaction ends. Returns true if no sync of it is running. */
export async function lockIdleConnection(trx: Trx, connectionId: string, now: Date): Promise<boolean> {
  const row = await trx
    .selectFrom('calendar_connections')
    .select('claimed_until')
    .where('id', '=', connectionId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined && (row.claimed_until === null || row.claimed_until <= now)
}

/** A stored busy time. */
export type StoredBusyTimeRow = Interval & {
  readonly event_id: string
  readonly occurrence: string
  readonly title: string | null
  readonly is_all_day: boolean
  readonly generation: number
  /** When a check before a booking found the busy time; null when a sync found it. */
  readonly asked_at: Date | null
  /** The Meridian calendar of the appointment that this event represents; null for any other event. Source: rule G5. */
  readonly appointment_calendar_id: string | null
}

/**
 * Lists up to `most` busy times in our copy that overlap an interval. Returns null when the copy is newer than the
 * request.
 */
export async function findCopiedBusyTimes(
  trx: Trx,
  {
    id,
    during,
    askedAt,
    most,
  }: { readonly id: string; readonly during: Interval; readonly askedAt: Date; readonly most: number },
): Promise<{ stored: StoredBusyTimeRow[]; generation: number } | null> {
  const calendar = await trx
    .selectFrom('external_calendars')
    .select('generation')
    .where('id', '=', id)
    // Use the copy only if no sync started after the request: such a sync has newer data.
    .where((row) => row.or([row('synced_at', 'is', null), row('synced_at', '<', askedAt)]))
    .executeTakeFirst()
  if (calendar === undefined) return null
  const [from, until] = [new Date(during.startMs), new Date(during.endMs)]
  const stored = await trx
    .selectFrom('external_busy_times')
    .select([
      'event_id',
      'occurrence',
      'starts_at',
      'ends_at',
      'title',
      'is_all_day',
      'generation',
      'asked_at',
      'appointment_calendar_id',
    ])
    .where('external_calendar_id', '=', id)
    .where(sql<boolean>`tstzrange(starts_at, ends_at) && tstzrange(${from}, ${until})`)
    .limit(most)
    .execute()
  return {
    generation: calendar.generation,
    stored: stored.map((row) => ({
      ...row,
      startMs: row.starts_at.getTime(),
      endMs: row.ends_at.getTime(),
    })),
  }
}

/** Lists up to `most` busy times that overlap an interval, as stored by syncs, grouped by external calendar. */
export async function listCopiedBusyTimes(
  db: Db,
  {
    ids,
    during,
    most,
  }: { readonly ids: readonly string[]; readonly during: Interval; readonly most: number },
): Promise<ReadonlyMap<string, readonly StoredBusyTime[]>> {
  const [from, until] = [new Date(during.startMs), new Date(during.endMs)]
  const rows = await db
    .selectFrom('external_busy_times')
    .select(['external_calendar_id', 'event_id', 'starts_at', 'ends_at'])
    .where('external_calendar_id', '=', sql<string>`any (${ids}::uuid[])`)
    .where('asked_at', 'is', null)
    .where(sql<boolean>`tstzrange(starts_at, ends_at) && tstzrange(${from}, ${until})`)
    .limit(most)
    .execute()
  const copied = Map.groupBy(rows, ({ external_calendar_id }) => external_calendar_id)
  return new Map(
    [...copied].map(([id, times]) => [
      id,
      times.map(({ event_id, starts_at, ends_at }) => ({
        eventKey: event_id,
        startMs: starts_at.getTime(),
        endMs: ends_at.getTime(),
      })),
    ]),
  )
}

/** Stores the corrections from a check before a booking. */
export async function correctBusyTimeCopy(
  trx: Trx,
  externalCalendarId: string,
  { removed, added }: { removed: readonly StoredBusyTimeRow[]; added: readonly StoredBusyTimeRow[] },
): Promise<void> {
  for (const { event_id: eventId, occurrence } of removed) {
    await trx
      .deleteFrom('external_busy_times')
      .where('external_calendar_id', '=', externalCalendarId)
      .where('event_id', '=', eventId)
      .where('occurrence', '=', occurrence)
      .execute()
  }
  if (added.length === 0) return
  await trx
    .insertInto('external_busy_times')
    .values(
      added.map((time) => ({
        external_calendar_id: externalCalendarId,
        event_id: time.event_id,
        occurrence: time.occurrence,
        starts_at: new Date(time.startMs),
        ends_at: new Date(time.endMs),
        title: time.title,
        is_all_day: time.is_all_day,
        generation: time.generation,
        asked_at: time.asked_at,
        appointment_calendar_id: time.appointment_calendar_id,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Records which interval of a calendar was checked, so that it is not checked again while the response is fresh.
 * Source: rule G7.
 */
export async function recordCheckedInterval(
  trx: Trx,
  externalCalendarId: string,
  { during, askedAt }: { readonly during: Interval; readonly askedAt: Date },
): Promise<void> {
  const [from, until] = [new Date(during.startMs), new Date(during.endMs)]
  await trx
    .updateTable('external_calendars')
    .set({ checked_at: askedAt, checked_from: from, checked_until: until })
    .where('id', '=', externalCalendarId)
    .execute()
}
