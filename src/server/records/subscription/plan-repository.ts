import { PLANS } from '#core/plans/plan.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import { PLAN_GATES, type PlanGateName } from './plan-gates.ts'
import type { DefaultPlanSettings } from './use-cases.ts'

type GivenSql = { readonly calendarId: string; readonly isInDefault: string; readonly now: string }

/**
 * SQL that is true when the plan of a calendar's owner includes a feature: the plan that the owner bought, or else the
 * installation's default. The arguments are SQL. Source: rules S5 and S13.
 */
export function isFeatureInPlanSql(gate: PlanGateName, { calendarId, isInDefault, now }: GivenSql): string {
  return `coalesce((
    select subscriptions.tier in (${listTiersSql(gate)}) from subscriptions
    join calendars on calendars.user_id = subscriptions.user_id
    where calendars.id = ${calendarId}
      and (subscriptions.ends_at is null or subscriptions.ends_at > ${now})
  ), ${isInDefault})`
}

/** Lists the plans that include the feature, in SQL. The names are our own constants, so they need no escaping. */
function listTiersSql(gate: PlanGateName): string {
  return Object.values(PLANS)
    .filter((plan) => PLAN_GATES[gate].isIncluded(plan))
    .map(({ tier }) => `'${tier}'`)
    .join(', ')
}

/** True when the installation's default plan includes the feature. */
export function isFeatureInDefaultPlan({ defaultTier }: DefaultPlanSettings, gate: PlanGateName): boolean {
  return PLAN_GATES[gate].isIncluded(PLANS[defaultTier])
}

const selectHasPaypal = prepareStatement<{ has_paypal: boolean }>(
  'has-paypal',
  `select ${isFeatureInPlanSql('paypal', { calendarId: '$1::uuid', isInDefault: '$2::boolean', now: '$3::timestamptz' })} as has_paypal`,
)

/** True when the owner's plan allows offering PayPal to customers of this calendar. Source: rule S13. */
export async function hasPaypalInPlan(
  settings: DefaultPlanSettings,
  db: Db,
  calendarId: string,
  now: Date,
): Promise<boolean> {
  const [row] = await selectHasPaypal(db, [calendarId, isFeatureInDefaultPlan(settings, 'paypal'), now])
  return row?.has_paypal === true
}
