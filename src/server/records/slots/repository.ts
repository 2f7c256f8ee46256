import { SLOT_SETTING_NAMES, type SlotSettings, toSlotRules } from '#contract/slot-settings.ts'
import type { SlotRules } from '#core/scheduling/slot-rules.ts'
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
