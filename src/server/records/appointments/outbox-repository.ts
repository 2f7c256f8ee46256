import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#server/platform/db/transaction.ts'

/**
 * SQL that is true when the appointments of a calendar are written to an external calendar: the owner has chosen a
 * calendar, and 'Auto Sync' is on. The argument is SQL for the id of the calendar. Source: rule G9.
 */
export function writesToExternalCalendarSql(calendarId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from used_external_calendars as used
    left join external_calendar_settings as settings on settings.calendar_id = used.calendar_id
    where used.calendar_id = ${calendarId} and used.writes_events and settings.auto_sync is not false
  )`
}

/** SQL that is true when an appointment can have an event: not cancelled, no hold and no test. Source: rules G9 and U34. */
export const CAN_HAVE_EVENT_SQL = `status <> 'cancelled' and released_at is null and not is_test
  and (status <> 'pending_payment' or hold_expires_at is null)`

/** SQL that is true when the event `written` is that of an appointment or of its session. */
const IS_ITS_EVENT = sql<boolean>`(written.calendar_id = appointments.calendar_id
  and (written.appointment_id = appointments.id or written.session_id = appointments.session_id))`

/** SQL that is true when an event was written and 'Auto Sync' is on. `isIt` is SQL about the event `written`. */
export function hasWrittenEventSql(isIt: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from appointment_events as written
    left join external_calendar_settings as settings on settings.calendar_id = written.calendar_id
    where ${isIt} and settings.auto_sync is not false
  )`
}

/**
 * SQL, for an update of `appointments`, that is true when the event of the row has to be written again: the row is
 * already marked, or its calendar writes events, or the row has an event although its calendar no longer writes any.
 * The statement that changes the appointment also stores this value, so that an outdated event is always marked.
 * Source: rule G11. A test appointment gets no event, so that nothing is left of it when it is removed. Source: rule U34.
 */
export const NEEDS_EVENT_WRITE_SQL: RawBuilder<boolean> = sql<boolean>`(not appointments.is_test and (needs_google_sync
  or ${writesToExternalCalendarSql(sql`appointments.calendar_id`)}
  or ${hasWrittenEventSql(IS_ITS_EVENT)}))`

/**
 * SQL, for an update of `appointments` that changes who the customer is: true when the event of the row has to be
 * written again. An existing event is rewritten even when 'Auto Sync' is off, because it contains the customer's name.
 * Source: rules D11 and R11.
 */
export const NEEDS_EVENT_RENAME_SQL: RawBuilder<boolean> = sql<boolean>`(needs_google_sync or exists (
  select from appointment_events as written where ${IS_ITS_EVENT}
))`

/**
 * Marks the events of all appointments of a calendar that are not over, so that they are written again. Called after
 * the owner has chosen a calendar to write to, turned 'Auto Sync' on, or changed the content of events. Events that
 * already match are not written again.
 */
export async function requestAllEventWrites(trx: Trx, calendarId: string, now: Date): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({ needs_google_sync: NEEDS_EVENT_WRITE_SQL })
    .where('calendar_id', '=', calendarId)
    .where('ends_at', '>', now)
    .where('released_at', 'is', null)
    .where(({ or, eb }) => or([eb('status', '<>', 'pending_payment'), eb('hold_expires_at', 'is', null)]))
    .execute()
}

type WrittenKey = { readonly calendarId: string; readonly id: string }

/** Marks the event of one appointment for writing, whatever the calendar's settings say. */
export async function requestEventWrite(trx: Trx, key: WrittenKey): Promise<void> {
  await setNeeded(trx, key, true)
}

/**
 * Clears the mark, because the event matches its appointment. The caller has locked the appointment, so nothing has
 * changed since the comparison.
 */
export async function clearEventWriteRequest(trx: Trx, key: WrittenKey): Promise<void> {
  await setNeeded(trx, key, false)
}

async function setNeeded(trx: Trx, { calendarId, id }: WrittenKey, isNeeded: boolean): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({ needs_google_sync: isNeeded })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .execute()
}

export type SessionKey = { readonly calendarId: string; readonly sessionId: string }

/**
 * SQL for the id of the seat to which the event of a session belongs: the seat that has it, even if it has just left the
 * session, or else the earliest seat. Null when there is none. Source: rule G34.
 */
export function selectSeatWithEvent({ calendarId, sessionId }: SessionKey): RawBuilder<string | null> {
  return sql<string | null>`(
    select id from (
      select id, created_at, written.session_id is not null as has_event,
        appointments.session_id = ${sessionId} and ${sql.raw(CAN_HAVE_EVENT_SQL)} as takes_part
      from appointments
      left join appointment_events as written on written.calendar_id = appointments.calendar_id
        and written.appointment_id = appointments.id and written.session_id = ${sessionId}
      where appointments.calendar_id = ${calendarId} and id in (
        select id from appointments where calendar_id = ${calendarId} and session_id = ${sessionId}
        union all
        select appointment_id from appointment_events where calendar_id = ${calendarId} and session_id = ${sessionId}
      )
    ) as seats
    where has_event or takes_part
    order by has_event and takes_part desc, has_event desc, created_at, id
    limit 1
  )`
}

/** Marks the event of a session for writing. Returns the appointment to which it belongs; null when nothing is to be written. */
export async function requestSessionEventWrite(trx: Trx, session: SessionKey): Promise<string | null> {
  const row = await trx
    .updateTable('appointments')
    .set({ needs_google_sync: NEEDS_EVENT_WRITE_SQL })
    .where('calendar_id', '=', session.calendarId)
    .where('id', '=', selectSeatWithEvent(session))
    .returning(['id', 'needs_google_sync'])
    .executeTakeFirst()
  return row?.needs_google_sync === true ? row.id : null
}

/** Marks the events of a type's future sessions, because their number of seats has changed. The sweep writes them. */
export async function requestSessionEventWritesOfType(
  trx: Trx,
  { calendarId, typeId, now }: { readonly calendarId: string; readonly typeId: string; readonly now: Date },
): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({ needs_google_sync: NEEDS_EVENT_WRITE_SQL })
    .where('calendar_id', '=', calendarId)
    .where('appointment_type_id', '=', typeId)
    .where('ends_at', '>', now)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('appointment_events')
        .select('appointment_id')
        .where('calendar_id', '=', calendarId)
        .where('session_id', 'is not', null),
    )
    .execute()
}
