import { SLOT_SETTING_NAMES, type SlotSettings, toSlotRules } from '#contract/slot-settings.ts'
import type { SlotRules } from '#core/scheduling/slot-rules.ts'
import type { WeeklyOpening } from '#core/scheduling/weekly-opening.ts'
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

/** Weekly openings of a calendar, in no particular order. */
export async function listOpenings(db: Db, calendarId: string): Promise<WeeklyOpening[]> {
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
