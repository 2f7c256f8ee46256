import { sql } from 'kysely'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** True when our copy of an external calendar has more than `most` busy times. */
export async function hasMoreBusyTimesThan(
  db: Db,
  externalCalendarId: string,
  most: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('external_busy_times')
    .select('external_calendar_id')
    .where('external_calendar_id', '=', externalCalendarId)
    .offset(most)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Starts a full sync and returns its generation number. The cursor is null until the sync ends. */
export async function startFullSync(trx: Trx, externalCalendarId: string): Promise<number | null> {
  const row = await trx
    .updateTable('external_calendars')
    .set((column) => ({ sync_cursor: null, generation: column('generation', '+', 1) }))
    .where('id', '=', externalCalendarId)
    .returning('generation')
    .executeTakeFirst()
  return row?.generation ?? null
}

/**
 * Forces the next sync to read everything: an incremental sync would not restore the busy times that were removed from
 * our copy. The caller has locked the external calendar. Source: rule G7.
 */
export async function clearSyncCursor(trx: Trx, externalCalendarId: string): Promise<void> {
  await trx
    .updateTable('external_calendars')
    .set({ sync_cursor: null })
    .where('id', '=', externalCalendarId)
    .execute()
}

/**
 * Locks an external calendar until the transaction ends. Returns false when its copy has been deleted or restarted
 * since this generation.
 */
export async function lockSyncGeneration(
  trx: Trx,
  externalCalendarId: string,
  generation: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('external_calendars')
    .select('id')
    .where('id', '=', externalCalendarId)
    .where('generation', '=', generation)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** The event of an appointment: the appointment's calendar, and the times that belong to the appointment itself. */
export type OwnEvent = { readonly calendarId: string; readonly times: readonly Interval[] }

/** Finds which of these events we wrote. Source: rule G5. */
export async function listOwnEvents(
  db: Db,
  externalCalendarId: string,
  eventIds: readonly string[],
): Promise<Map<string, OwnEvent>> {
  const rows = await selectAppointmentTimes(db)
    .select('written.event_ref')
    .where('written.external_calendar_id', '=', externalCalendarId)
    .where('written.event_ref', '=', sql<string>`any (${eventIds})`)
    .$narrowType<{ event_ref: string }>()
    .execute()
  return new Map(rows.map((row) => [row.event_ref, toOwnEvent(row)]))
}

/**
 * Finds which of these appointments are in calendars of the connection's owner. This check is needed because anybody
 * can send the owner an event that names an appointment. Source: rule G5.
 */
export async function listAppointmentsOfOwner(
  db: Db,
  connectionId: string,
  appointmentIds: readonly string[],
): Promise<Map<string, OwnEvent>> {
  if (appointmentIds.length === 0) return new Map()
  const rows = await selectAppointmentTimes(db)
    .innerJoin('calendars', 'calendars.id', 'appointments.calendar_id')
    .innerJoin('calendar_connections as connection', 'connection.user_id', 'calendars.user_id')
    .where('connection.id', '=', connectionId)
    .where('appointments.id', '=', sql<string>`any (${appointmentIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, toOwnEvent(row)]))
}

function selectAppointmentTimes(db: Db) {
  return db
    .selectFrom('appointments')
    .leftJoin('appointment_events as written', (join) =>
      join
        .onRef('written.calendar_id', '=', 'appointments.calendar_id')
        .onRef('written.appointment_id', '=', 'appointments.id'),
    )
    .select([
      'appointments.id',
      'appointments.calendar_id',
      'appointments.starts_at',
      'appointments.ends_at',
      'written.starts_at as written_from',
      'written.ends_at as written_until',
    ])
}

/**
 * Returns the time of an appointment and the last written time of its event. They differ for a moment after a move in
 * Meridian, until the event is rewritten.
 */
function toOwnEvent(row: {
  readonly calendar_id: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly written_from: Date | null
  readonly written_until: Date | null
}): OwnEvent {
  const here = { startMs: row.starts_at.getTime(), endMs: row.ends_at.getTime() }
  const there =
    row.written_from === null || row.written_until === null
      ? []
      : [{ startMs: row.written_from.getTime(), endMs: row.written_until.getTime() }]
  return { calendarId: row.calendar_id, times: [here, ...there] }
}

/** One busy time. Its instants are in RFC 3339. */
export type BusyTimeRow = {
  readonly eventId: string
  readonly occurrence: string
  readonly startsAt: string
  readonly endsAt: string
  readonly title: string | null
  readonly isAllDay: boolean
  /** The Meridian calendar of the appointment that this event represents; null for any other event. Source: rule G5. */
  readonly appointmentCalendarId: string | null
}

/** The events to store, identified by `toEventKey`. */
type StoredEvents = {
  readonly eventIds: readonly string[]
  /** The keys of events that belong to appointments. */
  readonly ownEventIds: readonly string[]
  readonly rows: readonly BusyTimeRow[]
}

/**
 * Replaces the stored busy times of the given events with `rows`; an event without a row is free. Returns the number of
 * changed events that are not our own. The caller has locked the external calendar.
 */
export async function replaceBusyTimes(
  trx: Trx,
  { id, generation }: { readonly id: string; readonly generation: number },
  { eventIds, ownEventIds, rows }: StoredEvents,
): Promise<number> {
  const column = <Key extends keyof BusyTimeRow>(key: Key) => rows.map((row) => row[key])
  const result = await sql<{ changed: number }>`
    with given as (
      select * from unnest(
        ${column('eventId')}::text[], ${column('occurrence')}::text[], ${column('startsAt')}::timestamptz[],
        ${column('endsAt')}::timestamptz[], ${column('title')}::text[], ${column('isAllDay')}::boolean[],
        ${column('appointmentCalendarId')}::uuid[]
      ) as given (event_id, occurrence, starts_at, ends_at, title, is_all_day, appointment_calendar_id)
    ), removed as (
      delete from external_busy_times as stored
      where external_calendar_id = ${id} and event_id = any (${eventIds}::text[]) and not exists (
        select from given where given.event_id = stored.event_id and given.occurrence = stored.occurrence
      )
      returning event_id
    ), changed as (
      select given.event_id from given
      left join external_busy_times as stored on stored.external_calendar_id = ${id}
        and stored.event_id = given.event_id and stored.occurrence = given.occurrence
      where (stored.starts_at, stored.ends_at, stored.title, stored.is_all_day)
        is distinct from (given.starts_at, given.ends_at, given.title, given.is_all_day)
    ), kept as (
      insert into external_busy_times
        (external_calendar_id, event_id, occurrence, starts_at, ends_at, title, is_all_day, generation,
          appointment_calendar_id)
      select ${id}::uuid, event_id, occurrence, starts_at, ends_at, title, is_all_day, ${generation}::integer,
        appointment_calendar_id
      from given
      on conflict (external_calendar_id, event_id, occurrence) do update set
        starts_at = excluded.starts_at, ends_at = excluded.ends_at, title = excluded.title,
        is_all_day = excluded.is_all_day, generation = excluded.generation, asked_at = null,
        appointment_calendar_id = excluded.appointment_calendar_id
    )
    select count(distinct event_id)::integer as changed
    from (select event_id from removed union all select event_id from changed) as events
    where event_id <> all (${ownEventIds}::text[])
  `.execute(trx)
  return result.rows[0]?.changed ?? 0
}

/** The result of a sync. */
type FinishedSync = {
  readonly externalCalendarId: string
  readonly generation: number
  /** The cursor for the next sync; null makes it read everything. */
  readonly cursor: string | null
  /**
   * False when the handling of changes failed. The old cursor is then kept, so that the changes are delivered again.
   */
  readonly isFollowed: boolean
  readonly startedAt: Date
  /** For a full sync: the end of the period that it read, and the zones used for times without a zone. */
  readonly full: { readonly until: Date; readonly zones: readonly string[] } | null
}

/**
 * Finishes a sync. After a full sync, busy times that it did not find are deleted. After any sync, results of earlier
 * checks before bookings are deleted. Returns the number of deleted events that are not our own. The caller has locked
 * the external calendar. Source: rule G15.
 */
export async function finishSync(trx: Trx, finished: FinishedSync): Promise<number> {
  const { externalCalendarId: id, generation, cursor, isFollowed, startedAt, full } = finished
  await trx
    .deleteFrom('external_busy_times')
    .where('external_calendar_id', '=', id)
    .where('asked_at', '<', startedAt)
    .execute()
  const unseen =
    full === null
      ? []
      : await trx
          .deleteFrom('external_busy_times')
          .where('external_calendar_id', '=', id)
          .where('generation', '<', generation)
          .where('asked_at', 'is', null)
          .returning(['event_id', 'appointment_calendar_id'])
          .execute()
  await trx
    .updateTable('external_calendars')
    .set({
      synced_at: startedAt,
      ...(isFollowed ? { sync_cursor: cursor, followed_at: startedAt } : {}),
      ...(full === null ? {} : { synced_until: full.until, read_in_zones: [...full.zones] }),
    })
    .where('id', '=', id)
    .execute()
  const ofOthers = unseen.filter((row) => row.appointment_calendar_id === null)
  return new Set(ofOthers.map(({ event_id }) => event_id)).size
}

/**
 * Lists the events of upcoming appointments that a full sync did not find, although they were written before it
 * started.
 */
export async function listUnseenOwnEvents(
  db: Db,
  {
    externalCalendarId,
    seen,
    startedAt,
    now,
    until,
  }: {
    readonly externalCalendarId: string
    readonly seen: readonly string[]
    readonly startedAt: Date
    readonly now: Date
    readonly until: Date
  },
): Promise<string[]> {
  const rows = await db
    .selectFrom('appointment_events')
    .select('event_ref')
    .where('external_calendar_id', '=', externalCalendarId)
    .where('starts_at', '>', now)
    .where('starts_at', '<', until)
    .where('written_at', '<', startedAt)
    .where((row) => row.not(row('event_ref', '=', sql<string>`any (${seen})`)))
    .execute()
  return rows.map(({ event_ref }) => event_ref)
}
