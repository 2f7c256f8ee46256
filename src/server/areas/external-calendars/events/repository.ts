import { sql } from 'kysely'
import { isConfidentialProfession } from '#core/external-calendars/confidential-profession.ts'
import type { SyncConfirmationReason } from '#core/external-calendars/external-change.ts'
import type { Interval } from '#core/shared/interval.ts'
import { selectReaderZones } from '#server/areas/external-calendars/connections/zone-repository.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CalendarToRead, ReaderZones } from '#server/ports/external-calendar.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { findDetailsIncludingEndedHolds } from '#server/records/appointments/details-repository.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import { type EventSession, findEventSession } from './session-repository.ts'

/** An external calendar and its account. */
export type EventCalendar = {
  readonly externalCalendarId: string
  readonly connectionId: string
  /** The provider's id of the calendar. */
  readonly externalId: string
}

/** The event of an appointment, as it was last written or as its last change was applied. */
export type StoredAppointmentEvent = EventCalendar & {
  /** The time zone of the external calendar, used for all-day events and times without a zone. Source: rule G4. */
  readonly timeZone: string | null
  /**
   * The zones to use if the external calendar has none. If no calendar uses it any longer, this is the zone of the
   * appointment's calendar.
   */
  readonly readerZones: ReaderZones
  readonly eventRef: string
  readonly etag: string | null
  readonly time: Interval
  readonly contentHash: string
  readonly ownerTitle: string | null
  /** The group session whose event it is, if any. */
  readonly sessionId: string | null
}

/** The settings of a calendar that affect its events. */
export type EventSettings = {
  readonly autoSync: boolean
  readonly twoWaySync: boolean
  readonly hidesCustomer: boolean
}

/** All data that determine the event of one appointment. */
export type EventState = {
  readonly details: Appointment
  /** The group session of the appointment, if any; it has one event. Source: rule G34. */
  readonly session: EventSession | null
  readonly settings: EventSettings
  /** The external calendar to which new events are written; null when the calendar writes no events. */
  readonly target: (EventCalendar & { readonly isGone: boolean }) | null
  readonly written: StoredAppointmentEvent | null
  /** The event in an external calendar that no longer exists; it counts as not written. Source: rule G10. */
  readonly lost: StoredAppointmentEvent | null
  /** The secret that identifies the event as ours; null when none has been created yet. Source: rule G27. */
  readonly secret: string | null
  /** Why a change at the provider waits for the owner's decision; null when no change is waiting. */
  readonly undecided: SyncConfirmationReason | null
}

/** Loads the state of an appointment's event. Null when the appointment was deleted. */
export async function findEventState(db: Db, key: AppointmentKey): Promise<EventState | null> {
  const details = await findDetailsIncludingEndedHolds(db, key.id)
  if (details === null) return null
  const stored = await findStored(db, key)
  const { session_id: sessionId } = details
  return {
    details,
    session:
      sessionId === null ? null : await findEventSession(db, { calendarId: key.calendarId, sessionId }),
    settings: await getSettings(db, key.calendarId),
    target: await findTarget(db, key.calendarId),
    written: stored === null || stored.isGone ? null : stored.event,
    lost: stored?.isGone ? stored.event : null,
    secret: await findSecret(db, key),
    undecided: await findUndecided(db, key),
  }
}

/**
 * Finds the external calendar that has the event of an appointment, or to which the event would be written. Null when
 * there is none.
 */
export async function findEventCalendar(db: Db, key: AppointmentKey): Promise<EventCalendar | null> {
  const stored = await findStored(db, key)
  return stored === null || stored.isGone ? findTarget(db, key.calendarId) : stored.event
}

async function getSettings(db: Db, calendarId: string): Promise<EventSettings> {
  const row = await db
    .selectFrom('calendars')
    .leftJoin('external_calendar_settings', 'external_calendar_settings.calendar_id', 'calendars.id')
    .select(['category', 'auto_sync', 'two_way_sync', 'hide_customer'])
    .where('calendars.id', '=', calendarId)
    .executeTakeFirst()
  return {
    autoSync: row?.auto_sync ?? true,
    twoWaySync: row?.two_way_sync ?? true,
    hidesCustomer: row?.hide_customer ?? isConfidentialProfession(row?.category ?? null),
  }
}

/** True when 'Auto Sync' is on, so that the calendar's events are written. */
export async function isAutoSyncOn(db: Db, { calendarId }: AppointmentKey): Promise<boolean> {
  return (await getSettings(db, calendarId)).autoSync
}

async function findTarget(db: Db, calendarId: string): Promise<EventState['target']> {
  const row = await db
    .selectFrom('used_external_calendars as used')
    .innerJoin('external_calendars as external', 'external.id', 'used.external_calendar_id')
    .select(['external.id', 'external.connection_id', 'external.external_id', 'external.is_gone'])
    .where('used.calendar_id', '=', calendarId)
    .where('used.writes_events', '=', true)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    externalCalendarId: row.id,
    connectionId: row.connection_id,
    externalId: row.external_id,
    isGone: row.is_gone,
  }
}

async function findStored(
  db: Db,
  { calendarId, id }: AppointmentKey,
): Promise<{ event: StoredAppointmentEvent; isGone: boolean } | null> {
  const row = await selectWritten(db)
    .where('written.calendar_id', '=', calendarId)
    .where('written.appointment_id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : { event: toStoredEvent(row), isGone: row.is_gone }
}

function selectWritten(db: Db) {
  return db
    .selectFrom('appointment_events as written')
    .innerJoin('external_calendars as external', 'external.id', 'written.external_calendar_id')
    .innerJoin('calendars', 'calendars.id', 'written.calendar_id')
    .select(
      sql
        .raw<ReaderZones>(
          `coalesce(nullif(${selectReaderZones('external.id')}, '{}'), array[calendars.timezone])`,
        )
        .as('reader_zones'),
    )
    .select([
      'written.calendar_id',
      'written.appointment_id',
      'written.external_calendar_id',
      'external.connection_id',
      'external.external_id',
      'external.is_gone',
      'external.time_zone',
      'written.event_ref',
      'written.etag',
      'written.starts_at',
      'written.ends_at',
      'written.content_hash',
      'written.title_there',
      'written.session_id',
    ])
}

type WrittenRow = Awaited<ReturnType<ReturnType<typeof selectWritten>['executeTakeFirstOrThrow']>>

function toStoredEvent(row: WrittenRow): StoredAppointmentEvent {
  return {
    externalCalendarId: row.external_calendar_id,
    connectionId: row.connection_id,
    externalId: row.external_id,
    timeZone: row.time_zone,
    readerZones: row.reader_zones,
    eventRef: row.event_ref,
    etag: row.etag,
    time: { startMs: row.starts_at.getTime(), endMs: row.ends_at.getTime() },
    contentHash: row.content_hash,
    ownerTitle: row.title_there,
    sessionId: row.session_id,
  }
}

async function findSecret(db: Db, { calendarId, id }: AppointmentKey): Promise<string | null> {
  const row = await db
    .selectFrom('event_secrets')
    .select('secret')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', id)
    .executeTakeFirst()
  return row?.secret ?? null
}

/**
 * Returns the secret of an appointment's event, creating it if needed. Null when the appointment was deleted. Source:
 * rule G27.
 */
export async function getOrCreateEventSecret(db: Db, key: AppointmentKey): Promise<string | null> {
  await sql`
    insert into event_secrets (calendar_id, appointment_id)
    select calendar_id, id from appointments where calendar_id = ${key.calendarId} and id = ${key.id}
    on conflict do nothing`.execute(db)
  return findSecret(db, key)
}

async function findUndecided(
  db: Db,
  { calendarId, id }: AppointmentKey,
): Promise<SyncConfirmationReason | null> {
  const row = await db
    .selectFrom('external_changes')
    .select('reason')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', id)
    .executeTakeFirst()
  return row?.reason ?? null
}

/** Lists the appointments that have one of these events in an external calendar. */
export async function listAppointmentsByEventRef(
  db: Db,
  externalCalendarId: string,
  eventRefs: readonly string[],
): Promise<{ key: AppointmentKey; eventRef: string }[]> {
  if (eventRefs.length === 0) return []
  const rows = await db
    .selectFrom('appointment_events')
    .select(['calendar_id', 'appointment_id', 'event_ref'])
    .where('external_calendar_id', '=', externalCalendarId)
    .where('event_ref', 'in', eventRefs)
    .execute()
  return rows.map((row) => ({
    key: { calendarId: row.calendar_id, id: row.appointment_id },
    eventRef: row.event_ref,
  }))
}

/**
 * Lists up to `most` known calendars of an account: `first`, then those in use, then the others, which get the zones
 * `unusedZones`.
 */
export async function listCalendarsOfAccount(
  db: Db,
  {
    connectionId,
    first,
    most,
    unusedZones,
  }: {
    readonly connectionId: string
    readonly first: string
    readonly most: number
    readonly unusedZones: ReaderZones
  },
): Promise<(CalendarToRead & { readonly externalCalendarId: string })[]> {
  const rows = await db
    .selectFrom('external_calendars as external')
    .select(['external.id', 'external.external_id', 'external.time_zone'])
    .select(
      sql.raw<ReaderZones | null>(`nullif(${selectReaderZones('external.id')}, '{}')`).as('reader_zones'),
    )
    .where('external.connection_id', '=', connectionId)
    .where('external.is_gone', '=', false)
    .orderBy((column) => column('external.id', '=', first), 'desc')
    .orderBy(
      ({ exists, selectFrom }) =>
        exists(
          selectFrom('used_external_calendars as used')
            .select('used.calendar_id')
            .whereRef('used.external_calendar_id', '=', 'external.id'),
        ),
      'desc',
    )
    .orderBy('external.is_primary', 'desc')
    .orderBy('external.id')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    externalCalendarId: row.id,
    externalId: row.external_id,
    timeZone: row.time_zone,
    readerZones: row.reader_zones ?? unusedZones,
  }))
}

/** Lists upcoming appointments with an event in an external calendar. */
export async function listUpcomingWithEvent(
  db: Db,
  externalCalendarId: string,
  now: Date,
): Promise<AppointmentKey[]> {
  const rows = await db
    .selectFrom('appointment_events as written')
    .innerJoin('appointments', (join) =>
      join
        .onRef('appointments.calendar_id', '=', 'written.calendar_id')
        .onRef('appointments.id', '=', 'written.appointment_id'),
    )
    .select(['written.calendar_id', 'written.appointment_id'])
    .where('written.external_calendar_id', '=', externalCalendarId)
    .where('appointments.starts_at', '>', now)
    .where('appointments.status', '<>', 'cancelled')
    .orderBy('appointments.starts_at')
    .execute()
  return rows.map((row) => ({ calendarId: row.calendar_id, id: row.appointment_id }))
}

/** Lists up to `limit` events that were written through a connection, the latest first. */
export async function listEventsOfConnection(
  db: Db,
  connectionId: string,
  limit: number,
): Promise<{ key: AppointmentKey; event: StoredAppointmentEvent }[]> {
  const rows = await selectWritten(db)
    .where('external.connection_id', '=', connectionId)
    .orderBy('written.starts_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    key: { calendarId: row.calendar_id, id: row.appointment_id },
    event: toStoredEvent(row),
  }))
}

/** Lists the events of a calendar's appointments that are not over, by the provider's ids. */
export async function listUpcomingEventsOfCalendar(
  db: Db,
  calendarId: string,
  now: Date,
): Promise<Pick<StoredAppointmentEvent, 'connectionId' | 'externalId' | 'eventRef'>[]> {
  const rows = await selectWritten(db)
    .where('written.calendar_id', '=', calendarId)
    .where('written.ends_at', '>', now)
    .execute()
  return rows
    .map(toStoredEvent)
    .map(({ connectionId, externalId, eventRef }) => ({ connectionId, externalId, eventRef }))
}

type NewEvent = {
  readonly externalCalendarId: string
  readonly eventRef: string
  readonly etag: string | null
  readonly time: Interval
  readonly contentHash: string
  readonly sessionId: string | null
  readonly writtenAt: Date
}

/** Stores a written event. A title that the owner gave the event at the provider is kept. */
export async function saveEvent(
  trx: Trx,
  { calendarId, id }: AppointmentKey,
  event: NewEvent,
): Promise<void> {
  const values = {
    external_calendar_id: event.externalCalendarId,
    event_ref: event.eventRef,
    etag: event.etag,
    starts_at: new Date(event.time.startMs),
    ends_at: new Date(event.time.endMs),
    content_hash: event.contentHash,
    session_id: event.sessionId,
    written_at: event.writtenAt,
  }
  await trx
    .insertInto('appointment_events')
    .values({ calendar_id: calendarId, appointment_id: id, ...values })
    .onConflict((conflict) => conflict.columns(['calendar_id', 'appointment_id']).doUpdateSet(values))
    .execute()
}

/** Stores the current state of an event at the provider, so that the next write knows which state it replaces. */
export async function updateEvent(
  trx: Db,
  { calendarId, id }: AppointmentKey,
  read: {
    readonly externalCalendarId?: string
    readonly eventRef?: string
    readonly etag?: string | null
    readonly ownerTitle?: string | null
    readonly time?: Interval
    readonly contentHash?: string
  },
): Promise<void> {
  const { externalCalendarId, eventRef, etag, ownerTitle, time, contentHash } = read
  await trx
    .updateTable('appointment_events')
    .set({
      ...(externalCalendarId !== undefined && { external_calendar_id: externalCalendarId }),
      ...(eventRef !== undefined && { event_ref: eventRef }),
      ...(etag !== undefined && { etag }),
      ...(ownerTitle !== undefined && { title_there: ownerTitle }),
      ...(contentHash !== undefined && { content_hash: contentHash }),
      ...(time !== undefined && { starts_at: new Date(time.startMs), ends_at: new Date(time.endMs) }),
    })
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', id)
    .execute()
}

export async function deleteEvent(trx: Db, { calendarId, id }: AppointmentKey): Promise<void> {
  await trx
    .deleteFrom('appointment_events')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', '=', id)
    .execute()
}

/**
 * Locks a connection, so that it cannot be deleted before a job for it is queued. Returns false when it was deleted.
 */
export async function lockConnection(trx: Trx, connectionId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('calendar_connections')
    .select('id')
    .where('id', '=', connectionId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Locks an appointment while it is compared with its event. Returns false when it was deleted. */
export async function lockAppointmentForComparison(
  trx: Trx,
  { calendarId, id }: AppointmentKey,
): Promise<boolean> {
  const row = await trx
    .selectFrom('appointments')
    .select('id')
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}
