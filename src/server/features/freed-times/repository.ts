import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/**
 * Notes that a time of a calendar became free, where somebody waits. Whoever looks waits for the end of this transaction, so no
 * freed time is missed.
 * @returns whether nobody had noted one before
 */
export async function noteFreedTime(trx: Trx, calendarId: string): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into waiting_looks (calendar_id)
    select ${calendarId}::uuid where exists (
      select from waiting_entries where calendar_id = ${calendarId} and state in ('waiting', 'offered')
    )
    on conflict (calendar_id) do update set asked_at = excluded.asked_at
    returning xmax = 0 as is_new`.execute(trx)
  return rows[0]?.is_new ?? false
}

/** Takes the note of a calendar away, before its waiting list is looked through. */
export async function takeNote(db: Db, calendarId: string): Promise<void> {
  await db.deleteFrom('waiting_looks').where('calendar_id', '=', calendarId).execute()
}

/** Calendars with a note from before that moment: their jobs were lost, or there was none. */
export async function listNotes(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('waiting_looks')
    .select('calendar_id')
    .where('asked_at', '<', before)
    .orderBy('asked_at')
    .limit(limit)
    .execute()
  return rows.map(({ calendar_id }) => calendar_id)
}

/** The calendars whose times an external calendar takes. */
export async function listCalendarsUsing(db: Db, externalCalendarId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('used_external_calendars')
    .select('calendar_id')
    .where('external_calendar_id', '=', externalCalendarId)
    .orderBy('calendar_id')
    .execute()
  return rows.map(({ calendar_id }) => calendar_id)
}
