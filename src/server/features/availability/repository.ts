import { sql } from 'kysely'
import type { SlotRules } from '#core/scheduling/open-slots.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** One range of the weekly schedule, `HH:MM:SS` up to 24:00:00. */
export type WeeklyRange = {
  readonly id: string
  readonly dayOfWeek: number
  readonly start: string
  readonly end: string
}

/** The ranges of a calendar's week, Monday first, each day in order of start. */
export async function listRanges(db: Db, calendarId: string): Promise<WeeklyRange[]> {
  const rows = await db
    .selectFrom('availability')
    .select(['id', 'day_of_week', 'start_time', 'end_time'])
    .where('calendar_id', '=', calendarId)
    // Sunday is 0 and comes last.
    .orderBy(sql`(day_of_week + 6) % 7`)
    .orderBy('start_time')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    dayOfWeek: row.day_of_week,
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
        day_of_week: range.dayOfWeek,
        start_time: range.start,
        end_time: range.end,
      })),
    )
    .execute()
}

/** Removes one range. False when it is not there. */
export async function deleteRange(trx: Trx, calendarId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('availability')
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Removes all ranges of some weekdays. */
export async function deleteRangesOf(trx: Trx, calendarId: string, days: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('availability')
    .where('calendar_id', '=', calendarId)
    .where('day_of_week', 'in', days)
    .execute()
}

export async function updateRules(
  trx: Trx,
  calendarId: string,
  rules: SlotRules,
  updatedAt: Date,
): Promise<void> {
  await trx
    .updateTable('calendars')
    .set({
      slot_duration_minutes: rules.slotMinutes,
      buffer_time_minutes: rules.bufferMinutes,
      max_appointment_duration_minutes: rules.maxDurationMinutes,
      updated_at: updatedAt,
    })
    .where('id', '=', calendarId)
    .execute()
}

/**
 * Leaves no appointment with more buffer than `bufferMinutes`: it blocks until `ends_at + least(its buffer, the new
 * one)`. A raised buffer leaves the rows alone, so that appointments which are closer than that can stay; slots keep
 * new ones away from them. An appointment that stopped blocking by `earliestStart` matters to nobody: nothing is booked
 * before that, and a restored one there makes its own room. Source: rule T19.
 */
export async function shortenBuffers(
  trx: Trx,
  calendarId: string,
  bufferMinutes: number,
  earliestStart: Date,
): Promise<void> {
  const blockedUntil = sql`ends_at + make_interval(mins => ${bufferMinutes}::integer)`
  for (let last: string | undefined = BEFORE_ALL_IDS; last !== undefined; ) {
    const { rows } = await sql<{ id: string }>`
      with longer as (
        select id from appointments
        where calendar_id = ${calendarId} and id > ${last}
          and upper(blocked) > ${earliestStart} and upper(blocked) > ${blockedUntil}
        order by id limit ${sql.lit(SHORTENED_AT_ONCE)}
      ), shortened as (
        update appointments set blocked = tstzrange(starts_at, ${blockedUntil})
        where calendar_id = ${calendarId} and id = any (array (select id from longer))
      )
      select id from longer order by id desc limit 1`.execute(trx)
    last = rows[0]?.id
  }
}

/** Appointments of one statement, so that no statement meets the time limit, however many there are. */
const SHORTENED_AT_ONCE = 2_000
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'
