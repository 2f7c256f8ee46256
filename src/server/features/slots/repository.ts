import { sql } from 'kysely'
import { SLOT_SETTING_NAMES, type SlotSettings, toSlotRules } from '#contract/slot-settings.ts'
import type { OpeningHours } from '#core/scheduling/opening-times.ts'
import type { DayRange } from '#core/scheduling/shown-days.ts'
import type { SlotRules } from '#core/scheduling/slot-rules.ts'
import type { SpecialDays } from '#core/scheduling/special-days.ts'
import type { ClockSpan, WeeklyOpening } from '#core/scheduling/weekly-opening.ts'
import { addDays, toDayNumber } from '#core/shared/calendar-date.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What the slot engine needs to know of a calendar. */
export type SchedulingCalendar = { readonly id: string; readonly timeZone: string; readonly rules: SlotRules }

/** Reads the scheduling side of a public calendar. Null when the slug is unknown. */
export async function findSchedulingCalendar(db: Db, slug: string): Promise<SchedulingCalendar | null> {
  const row = await db
    .selectFrom('calendars')
    .select(['id', 'timezone', ...SLOT_SETTING_NAMES])
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row === undefined ? null : toSchedulingCalendar(row)
}

export type SchedulingRow = SlotSettings & { readonly id: string; readonly timezone: string }

export function toSchedulingCalendar(row: SchedulingRow): SchedulingCalendar {
  return { id: row.id, timeZone: row.timezone, rules: toSlotRules(row) }
}

/** The opening hours of a calendar that matter to some dates, the days before and after them included. */
export async function findOpeningHours(
  db: Db,
  calendarId: string,
  { firstDate, dayCount }: DayRange,
): Promise<OpeningHours> {
  const [from, to] = [addDays(firstDate, -1), addDays(firstDate, dayCount)]
  return {
    openings: await listOpenings(db, calendarId),
    specialDays: await listSpecialDays(db, calendarId, { from, to }),
  }
}

async function listSpecialDays(
  db: Db,
  calendarId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<SpecialDays[]> {
  const rows = await db
    .selectFrom('special_days')
    .leftJoin('special_hours', (join) =>
      join
        .onRef('special_hours.calendar_id', '=', 'special_days.calendar_id')
        .onRef('special_hours.special_days_id', '=', 'special_days.id'),
    )
    .select([
      sql<string>`to_char(first_date, 'YYYY-MM-DD')`.as('first'),
      sql<string>`to_char(last_date, 'YYYY-MM-DD')`.as('last'),
      'start_time',
      'end_time',
    ])
    .where('special_days.calendar_id', '=', calendarId)
    .where('first_date', '<=', sql<Date>`${to}::date`)
    .where('last_date', '>=', sql<Date>`${from}::date`)
    .execute()
  // No two of a calendar begin on the same date.
  return [...Map.groupBy(rows, ({ first }) => first)].map(([first, ofDays]) => ({
    firstDay: toDayNumber(first),
    lastDay: toDayNumber(ofDays[0]?.last ?? first),
    hours: ofDays.flatMap(({ start_time, end_time }) => toSpans(start_time, end_time)),
  }))
}

/** Closed days have no hours. */
function toSpans(start: string | null, end: string | null): ClockSpan[] {
  return start === null || end === null
    ? []
    : [{ startSeconds: toSeconds(start), endSeconds: toSeconds(end) }]
}

/** Weekly openings of a calendar, in no particular order. */
async function listOpenings(db: Db, calendarId: string): Promise<WeeklyOpening[]> {
  const rows = await db
    .selectFrom('availability')
    .select(['day_of_week', 'start_time', 'end_time'])
    .where('calendar_id', '=', calendarId)
    .execute()
  return rows.map((row) => ({
    dayOfWeek: row.day_of_week,
    startSeconds: toSeconds(row.start_time),
    endSeconds: toSeconds(row.end_time),
  }))
}

/** `HH:MM:SS` (up to 24:00:00) as seconds from midnight. */
function toSeconds(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
