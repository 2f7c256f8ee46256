import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Interval } from '#core/shared/interval.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** Consecutive days with their own opening hours; days without hours are closed. */
export type SpecialDaysRow = {
  readonly id: string
  /** The first day, as yyyy-MM-dd. */
  readonly first: string
  /** The last day, as yyyy-MM-dd. */
  readonly last: string
  /** The opening hours, ordered by start. Times are `HH:MM:SS`, up to 24:00:00. */
  readonly hours: readonly { readonly start: string; readonly end: string }[]
  readonly note: string | null
  readonly public_note: string | null
  /** Whether the owner entered the days, or closed a proposed holiday. Set once. Source: rule T56. */
  readonly source: 'owner' | 'holiday'
}

/** Lists the special days of a calendar that end on `from` or later, the nearest first. */
export async function listSpecialDays(db: Db, calendarId: string, from: string): Promise<SpecialDaysRow[]> {
  return db
    .selectFrom('special_days')
    .select((eb) => [
      'id',
      sql<string>`to_char(first_date, 'YYYY-MM-DD')`.as('first'),
      sql<string>`to_char(last_date, 'YYYY-MM-DD')`.as('last'),
      'note',
      'public_note',
      'source',
      jsonArrayFrom(
        eb
          .selectFrom('special_hours')
          .select(['start_time as start', 'end_time as end'])
          .whereRef('special_hours.calendar_id', '=', 'special_days.calendar_id')
          .whereRef('special_hours.special_days_id', '=', 'special_days.id')
          .orderBy('start_time'),
      ).as('hours'),
    ])
    .where('calendar_id', '=', calendarId)
    .where('last_date', '>=', sql<Date>`${from}::date`)
    .orderBy('first_date')
    .execute()
}

/**
 * Inserts special days.
 * @throws the exclusion constraint's error when they share a date with other special days of the calendar
 */
export async function insertSpecialDays(trx: Trx, calendarId: string, days: SpecialDaysRow): Promise<void> {
  await trx
    .insertInto('special_days')
    .values({
      calendar_id: calendarId,
      id: days.id,
      first_date: days.first,
      last_date: days.last,
      note: days.note,
      public_note: days.public_note,
      source: days.source,
    })
    .execute()
  await insertHours(trx, calendarId, days)
}

/**
 * Updates special days.
 * @throws the exclusion constraint's error when they share a date with other special days of the calendar
 */
export async function updateSpecialDays(trx: Trx, calendarId: string, days: SpecialDaysRow): Promise<void> {
  await trx
    .updateTable('special_days')
    .set({
      first_date: days.first,
      last_date: days.last,
      note: days.note,
      public_note: days.public_note,
    })
    .where('calendar_id', '=', calendarId)
    .where('id', '=', days.id)
    .execute()
  await trx
    .deleteFrom('special_hours')
    .where('calendar_id', '=', calendarId)
    .where('special_days_id', '=', days.id)
    .execute()
  await insertHours(trx, calendarId, days)
}

async function insertHours(trx: Trx, calendarId: string, { id, hours }: SpecialDaysRow): Promise<void> {
  if (hours.length === 0) return
  await trx
    .insertInto('special_hours')
    .values(
      hours.map(({ start, end }) => ({
        calendar_id: calendarId,
        id: randomUUID(),
        special_days_id: id,
        start_time: start,
        end_time: end,
      })),
    )
    .execute()
}

/** Deletes special days with their hours. Returns false when they do not exist. */
export async function deleteSpecialDays(trx: Trx, calendarId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('special_days')
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Counts the future appointments in each of the given intervals, in the order of the intervals. Source: rule T36. */
export async function countFutureAppointments(
  db: Db,
  calendarId: string,
  stretches: readonly Interval[],
  now: Date,
): Promise<number[]> {
  if (stretches.length === 0) return []
  const toTexts = (instants: readonly number[]) => instants.map((ms) => new Date(ms).toISOString())
  const rows = await db
    .selectFrom(
      sql<{ place: number; starts: Date; ends: Date }>`unnest(
        ${toTexts(stretches.map(({ startMs }) => startMs))}::timestamptz[],
        ${toTexts(stretches.map(({ endMs }) => endMs))}::timestamptz[]
      ) with ordinality`.as<'stretch'>(sql`stretch(starts, ends, place)`),
    )
    .leftJoin('appointments', (join) =>
      join
        .on('appointments.calendar_id', '=', calendarId)
        .onRef('appointments.starts_at', '<', 'stretch.ends')
        .onRef('appointments.ends_at', '>', 'stretch.starts')
        .on(isFutureAppointment(now)),
    )
    .select(sql<number>`count(appointments.id)::integer`.as('found'))
    .groupBy('stretch.place')
    .orderBy('stretch.place')
    .execute()
  return rows.map(({ found }) => found)
}
