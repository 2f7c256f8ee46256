import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** One range of the weekly schedule. Times are `HH:MM:SS`, up to 24:00:00. */
export type WeeklyRange = {
  readonly id: string
  readonly day_of_week: number
  readonly start: string
  readonly end: string
}

/** Lists the ranges of a calendar's week, Monday first, ordered by start within each day. */
export async function listRanges(db: Db, calendarId: string): Promise<WeeklyRange[]> {
  const rows = await db
    .selectFrom('availability')
    .select(['id', 'day_of_week', 'start_time', 'end_time'])
    .where('calendar_id', '=', calendarId)
    // Sort Sunday, which is 0, last.
    .orderBy(sql`(day_of_week + 6) % 7`)
    .orderBy('start_time')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    day_of_week: row.day_of_week,
    start: row.start_time,
    end: row.end_time,
  }))
}

export async function insertRanges(
  trx: Trx,
  calendarId: string,
  ranges: readonly WeeklyRange[],
): Promise<void> {
  if (ranges.length === 0) return
  await trx
    .insertInto('availability')
    .values(
      ranges.map((range) => ({
        calendar_id: calendarId,
        id: range.id,
        day_of_week: range.day_of_week,
        start_time: range.start,
        end_time: range.end,
      })),
    )
    .execute()
}

/** Updates the times of one range. */
export async function updateRange(
  trx: Trx,
  calendarId: string,
  { id, start, end }: WeeklyRange,
): Promise<void> {
  await trx
    .updateTable('availability')
    .set({ start_time: start, end_time: end })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .execute()
}

/** Deletes one range. */
export async function deleteRange(trx: Trx, calendarId: string, id: string): Promise<void> {
  await trx.deleteFrom('availability').where('calendar_id', '=', calendarId).where('id', '=', id).execute()
}

/** Deletes all ranges of some weekdays. */
export async function deleteRangesOf(trx: Trx, calendarId: string, days: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('availability')
    .where('calendar_id', '=', calendarId)
    .where('day_of_week', 'in', days)
    .execute()
}
