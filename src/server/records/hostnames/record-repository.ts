import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'

/** The kinds of records that links in emails refer to, with their tables. */
const TABLES = {
  appointment: 'appointments',
  waitingEntry: 'waiting_entries',
  waitingOffer: 'waiting_offers',
} as const

/** A record that a link refers to: its kind and its id. */
export type RecordReference = { readonly by: keyof typeof TABLES; readonly name: string }

const select = (by: RecordReference['by']) =>
  prepareStatement<{ calendar_id: string; slug: string }>(
    `calendar-of-${by}`,
    `select calendar.id as calendar_id, calendar.slug from ${TABLES[by]} as record
    join calendars as calendar on calendar.id = record.calendar_id where record.id = $1::uuid`,
  )
const SELECTS = {
  appointment: select('appointment'),
  waitingEntry: select('waitingEntry'),
  waitingOffer: select('waitingOffer'),
} as const satisfies Record<RecordReference['by'], unknown>

/** Returns the calendar of a record; null when the record does not exist. */
export async function findCalendarOfRecord(
  db: Db,
  { by, name }: RecordReference,
): Promise<{ readonly calendarId: string; readonly slug: string } | null> {
  const [row] = await SELECTS[by](db, [name])
  return row === undefined ? null : { calendarId: row.calendar_id, slug: row.slug }
}
