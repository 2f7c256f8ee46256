import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import { isFeatureInDefaultPlan, isFeatureInPlanSql } from '#server/records/subscription/plan-repository.ts'
import type { DefaultPlanSettings } from '#server/records/subscription/use-cases.ts'

/** The data needed to render the branding of a calendar. */
export type PublicBrandingRow = {
  readonly calendar_id: string
  readonly color: string
  readonly branding_settings: Record<string, unknown>
  /** True when the owner's current plan includes branding. */
  readonly is_in_plan: boolean
}

const COLUMNS = `id as calendar_id, color, branding_settings,
  ${isFeatureInPlanSql('custom_branding', { calendarId: 'shown.id', isInDefault: '$2::boolean', now: '$3::timestamptz' })} as is_in_plan`

/**
 * SQL conditions that find a calendar by different identifiers. The ids of appointments and waiting-list records are
 * needed because links in emails contain them.
 */
const CALENDAR_BY = {
  slug: 'slug = $1',
  calendar: 'id = $1::uuid',
  appointment: 'id = (select calendar_id from appointments where id = $1::uuid)',
  waitingEntry: 'id = (select calendar_id from waiting_entries where id = $1::uuid)',
  waitingOffer: 'id = (select calendar_id from waiting_offers where id = $1::uuid)',
} as const

export type CalendarReferenceKind = keyof typeof CALENDAR_BY

/** Identifies a calendar: by its slug, its id, or the id of a record that belongs to it. */
export type CalendarReference = { readonly by: CalendarReferenceKind; readonly name: string }

const select = (by: CalendarReferenceKind) =>
  prepareStatement<PublicBrandingRow>(
    `shown-branding-by-${by}`,
    `select ${COLUMNS} from calendars as shown where ${CALENDAR_BY[by]}`,
  )
const SELECTS = {
  slug: select('slug'),
  calendar: select('calendar'),
  appointment: select('appointment'),
  waitingEntry: select('waitingEntry'),
  waitingOffer: select('waitingOffer'),
} as const satisfies Record<CalendarReferenceKind, unknown>

export async function findPublicBrandingRow(
  settings: DefaultPlanSettings,
  db: Db,
  { by, name, now }: CalendarReference & { readonly now: Date },
): Promise<PublicBrandingRow | null> {
  const [row] = await SELECTS[by](db, [name, isFeatureInDefaultPlan(settings, 'custom_branding'), now])
  return row ?? null
}
