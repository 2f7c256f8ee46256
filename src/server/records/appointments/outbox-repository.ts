import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#server/platform/db/transaction.ts'

/**
 * SQL for whether the appointments of a calendar are written to an external calendar: one is chosen, and 'Auto Sync' is on. The
 * argument is the id of the calendar. Source: rule G9.
 */
export function isCalendarWritten(calendarId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from used_external_calendars as used
    left join external_calendar_settings as settings on settings.calendar_id = used.calendar_id
    where used.calendar_id = ${calendarId} and used.writes_events and settings.auto_sync is not false
  )`
}

/**
 * SQL, in an update of `appointments`, for whether the event of the row has to be written again. That is so in three cases: the row
 * waits already, its calendar writes events, or the row has an event although its calendar no longer writes any. The statement
 * that changes the appointment stores the answer, so a change and its event cannot come apart. Source: rule G11.
 */
export const NEEDS_EVENT: RawBuilder<boolean> = sql<boolean>`(needs_google_sync
  or ${isCalendarWritten(sql`appointments.calendar_id`)}
  or exists (
    select from appointment_events as written
    left join external_calendar_settings as settings on settings.calendar_id = written.calendar_id
    where written.calendar_id = appointments.calendar_id and written.appointment_id = appointments.id
      and settings.auto_sync is not false
  ))`

/**
 * SQL, in an update of `appointments` that changes whose they are: whether the event of the row has to be written again. An event
 * that was written is written again also where 'Auto Sync' is off, because it has the customer's name. Source: rules D11 and R11.
 */
export const NEEDS_EVENT_RENAMED: RawBuilder<boolean> = sql<boolean>`(needs_google_sync or exists (
  select from appointment_events as written
  where written.calendar_id = appointments.calendar_id and written.appointment_id = appointments.id
))`

/**
 * Has everything of a calendar written that is still to come, and looked at that has an event: after the owner has chosen a
 * calendar to write to, switched 'Auto Sync' on, or decided what events say. What matches already is not written again.
 */
export async function requestAllEvents(trx: Trx, calendarId: string, now: Date): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({ needs_google_sync: NEEDS_EVENT })
    .where('calendar_id', '=', calendarId)
    .where('ends_at', '>', now)
    .where('released_at', 'is', null)
    .where(({ or, eb }) => or([eb('status', '<>', 'pending_payment'), eb('hold_expires_at', 'is', null)]))
    .execute()
}

type WrittenKey = { readonly calendarId: string; readonly id: string }

/** The event of an appointment has to be written, whatever the settings say about others. */
export async function requestEvent(trx: Trx, key: WrittenKey): Promise<void> {
  await setNeeded(trx, key, true)
}

/** The event of an appointment matches it. The appointment is locked, so that nothing has changed since it was compared. */
export async function settleEvent(trx: Trx, key: WrittenKey): Promise<void> {
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
