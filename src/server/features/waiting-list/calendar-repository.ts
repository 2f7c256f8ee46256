import { SLOT_SETTING_NAMES, toSlotRules } from '#contract/slot-settings.ts'
import type { SlotRules } from '#core/scheduling/slot-rules.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What the waiting list has to know of its calendar. */
export type ListCalendar = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly color: string
  readonly timeZone: string
  readonly rules: SlotRules
  readonly professionalFirstName: string | null
  readonly professionalLastName: string | null
  readonly ownerName: string
  readonly ownerEmail: string
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
      'professional_first_name',
      'professional_last_name',
      'profiles.full_name',
      'profiles.email',
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
    rules: toSlotRules(row),
    professionalFirstName: row.professional_first_name,
    professionalLastName: row.professional_last_name,
    ownerName: row.full_name,
    ownerEmail: row.email,
  }
}
