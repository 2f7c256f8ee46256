import { SLOT_SETTING_NAMES, type SlotSettings, toSlotRules } from '#contract/slots/slot-settings.ts'
import type { SlotRules } from '#core/slots/slot-rules.ts'
import type { Db } from '#server/platform/db/database.ts'

/** The facts about a calendar that the slot search needs. */
export type SchedulingCalendar = { readonly id: string; readonly timeZone: string; readonly rules: SlotRules }

/** The scheduling facts of a calendar. Null when the slug is unknown. */
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
