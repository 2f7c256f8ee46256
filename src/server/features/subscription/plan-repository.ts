import { PLANS } from '#core/plan/plan.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import { PLAN_GATES, type PlanGateName } from './plan-gates.ts'
import type { PlanSettings } from './use-cases.ts'

/** Arguments in SQL. */
type PlanQuestion = { calendarId: string; isInDefault: string; now: string }

/**
 * SQL for whether the plan of a calendar's owner has PayPal: the bought plan, else the default of the installation. The
 * arguments are SQL. Source: rules S5 and S13.
 */
export function hasPaypalSql(given: PlanQuestion): string {
  return isInPlanSql('paypal', given)
}

/** SQL for whether the plan of a calendar's owner has branding, likewise. Source: rule K3. */
export function hasBrandingSql(given: PlanQuestion): string {
  return isInPlanSql('custom_branding', given)
}

/** Whether the default plan of the installation has branding. */
export function isBrandingInDefault({ defaultTier }: PlanSettings): boolean {
  return PLAN_GATES.custom_branding.isIncluded(PLANS[defaultTier])
}

/** The plans that have something, as a list in SQL. They are names of ours, so nothing in them has to be escaped. */
function listTiersWith(gate: PlanGateName): string {
  return Object.values(PLANS)
    .filter((plan) => PLAN_GATES[gate].isIncluded(plan))
    .map(({ tier }) => `'${tier}'`)
    .join(', ')
}

function isInPlanSql(gate: PlanGateName, given: PlanQuestion): string {
  return `coalesce((
    select subscriptions.tier in (${listTiersWith(gate)}) from subscriptions
    join calendars on calendars.user_id = subscriptions.user_id
    where calendars.id = ${given.calendarId}
      and (subscriptions.ends_at is null or subscriptions.ends_at > ${given.now})
  ), ${given.isInDefault})`
}

/** Whether the default plan of the installation has PayPal. */
export function isPaypalInDefault({ defaultTier }: PlanSettings): boolean {
  return PLAN_GATES.paypal.isIncluded(PLANS[defaultTier])
}

const selectHasPaypal = prepareStatement<{ has_paypal: boolean }>(
  'has-paypal',
  `select ${hasPaypalSql({ calendarId: '$1::uuid', isInDefault: '$2::boolean', now: '$3::timestamptz' })} as has_paypal`,
)

/** Whether customers of a calendar may be offered PayPal by the plan of its owner. Source: rule S13. */
export async function hasPaypalInPlan(
  settings: PlanSettings,
  db: Db,
  calendarId: string,
  now: Date,
): Promise<boolean> {
  const [row] = await selectHasPaypal(db, [calendarId, isPaypalInDefault(settings), now])
  return row?.has_paypal === true
}
