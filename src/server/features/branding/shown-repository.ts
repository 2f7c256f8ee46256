import { isInDefaultPlan, isInPlanSql } from '#server/features/subscription/plan-repository.ts'
import type { PlanSettings } from '#server/features/subscription/use-cases.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'

/** What is needed to draw the look of a calendar. */
export type ShownBrandingRow = {
  readonly calendar_id: string
  readonly color: string
  readonly branding_settings: Record<string, unknown>
  /** Whether the plan of its owner has branding now. */
  readonly is_in_plan: boolean
}

const COLUMNS = `id as calendar_id, color, branding_settings,
  ${isInPlanSql('custom_branding', { calendarId: 'shown.id', isInDefault: '$2::boolean', now: '$3::timestamptz' })} as is_in_plan`

const selectBySlug = prepareStatement<ShownBrandingRow>(
  'shown-branding-by-slug',
  `select ${COLUMNS} from calendars as shown where slug = $1`,
)
const selectById = prepareStatement<ShownBrandingRow>(
  'shown-branding-by-id',
  `select ${COLUMNS} from calendars as shown where id = $1::uuid`,
)

export async function findShownBrandingBySlug(
  settings: PlanSettings,
  db: Db,
  { slug, now }: { slug: string; now: Date },
): Promise<ShownBrandingRow | null> {
  const [row] = await selectBySlug(db, [slug, isInDefaultPlan(settings, 'custom_branding'), now])
  return row ?? null
}

export async function findShownBranding(
  settings: PlanSettings,
  db: Db,
  { calendarId, now }: { calendarId: string; now: Date },
): Promise<ShownBrandingRow | null> {
  const [row] = await selectById(db, [calendarId, isInDefaultPlan(settings, 'custom_branding'), now])
  return row ?? null
}
