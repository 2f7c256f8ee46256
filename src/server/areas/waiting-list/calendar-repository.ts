import { sql } from 'kysely'
import { SLOT_SETTING_NAMES, toSlotRules } from '#contract/slots/slot-settings.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import type { SlotRules } from '#core/slots/slot-rules.ts'
import type { Db } from '#server/platform/db/database.ts'
import { IS_PAUSED_SQL } from '#server/records/calendars/plan-repository.ts'
import { VERIFIED_HOST_SQL } from '#server/records/hostnames/repository.ts'
import type { CalendarAddressRow } from '#server/records/hostnames/to-calendar-address.ts'

/** The fields of a calendar that the waiting list needs. */
export type WaitingListCalendar = CalendarAddressRow & {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly timezone: string
  readonly hour_cycle: HourCycle
  /** True when the calendar takes no new bookings. Source: rules S13 and C17. */
  readonly is_paused: boolean
  readonly rules: SlotRules
  readonly professional_first_name: string | null
  readonly professional_last_name: string | null
  readonly owner_id: string
  readonly owner_name: string
  readonly owner_email: string
}

export async function findWaitingListCalendar(
  db: Db,
  calendarId: string,
): Promise<WaitingListCalendar | null> {
  const row = await db
    .selectFrom('calendars')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .select([
      'calendars.id',
      'slug',
      'name',
      'color',
      'timezone',
      'hour_cycle',
      sql.raw<boolean>(IS_PAUSED_SQL).as('is_paused'),
      'professional_first_name',
      'professional_last_name',
      'profiles.id as owner_id',
      'profiles.full_name as owner_name',
      'profiles.email as owner_email',
      'domain_settings',
      VERIFIED_HOST_SQL.as('live_host'),
      ...SLOT_SETTING_NAMES,
    ])
    .where('calendars.id', '=', calendarId)
    .executeTakeFirst()
  if (row === undefined) return null
  return { ...row, rules: toSlotRules(row) }
}
