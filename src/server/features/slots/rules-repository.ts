import type { Selectable } from 'kysely'
import type { SlotRules } from '#core/scheduling/open-slots.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** The columns of a calendar that hold its slot rules. */
export const SLOT_RULES_COLUMNS = [
  'slot_duration_minutes',
  'buffer_time_minutes',
  'max_appointment_duration_minutes',
  'minimum_notice_minutes',
] as const satisfies (keyof Schema['calendars'])[]

export type SlotRulesRow = Pick<Selectable<Schema['calendars']>, (typeof SLOT_RULES_COLUMNS)[number]>

export function toSlotRules(row: SlotRulesRow): SlotRules {
  return {
    slotMinutes: row.slot_duration_minutes,
    bufferMinutes: row.buffer_time_minutes,
    maxDurationMinutes: row.max_appointment_duration_minutes,
    noticeMinutes: row.minimum_notice_minutes,
  }
}

export function toSlotRulesRow(rules: SlotRules): SlotRulesRow {
  return {
    slot_duration_minutes: rules.slotMinutes,
    buffer_time_minutes: rules.bufferMinutes,
    max_appointment_duration_minutes: rules.maxDurationMinutes,
    minimum_notice_minutes: rules.noticeMinutes,
  }
}
