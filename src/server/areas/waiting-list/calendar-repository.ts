import { SLOT_SETTING_NAMES, toSlotRules } from '#contract/slots/slot-settings.ts'
import type { SlotRules } from '#core/slots/slot-rules.ts'
import type { Db } from '#server/platform/db/database.ts'
import { LIVE_HOST } from '#server/records/hostnames/repository.ts'
import type { AddressedRow } from '#server/records/hostnames/to-address.ts'

/** The fields of a calendar that the waiting list needs. */
export type ListCalendar = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly color: string
  readonly timeZone: string
  /** True when the calendar takes no new bookings. Source: rule S13. */
  readonly isPaused: boolean
  readonly rules: SlotRules
  readonly professionalFirstName: string | null
  readonly professionalLastName: string | null
  readonly ownerId: string
  readonly ownerName: string
  readonly ownerEmail: string
  /** The columns that determine the calendar's public address. */
  readonly addressed: AddressedRow
}

export async function findListCalendar(db: Db, calendarId: string): Promise<ListCalendar | null> {
  const row = await db
    .selectFrom('calendars')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .select([
      'calendars.id',
      'slug',
      'name',
      'color',
      'timezone',
      'is_paused',
      'professional_first_name',
      'professional_last_name',
      'profiles.id as owner_id',
      'profiles.full_name',
      'profiles.email',
      'domain_settings',
      LIVE_HOST.as('live_host'),
      ...SLOT_SETTING_NAMES,
    ])
    .where('calendars.id', '=', calendarId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    color: row.color,
    timeZone: row.timezone,
    isPaused: row.is_paused,
    rules: toSlotRules(row),
    professionalFirstName: row.professional_first_name,
    professionalLastName: row.professional_last_name,
    ownerId: row.owner_id,
    ownerName: row.full_name,
    ownerEmail: row.email,
    addressed: row,
  }
}
