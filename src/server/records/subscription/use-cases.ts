import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { isSubscriptionRunning, planStatusOf, type StoredPlan } from '#core/plans/decide-plan.ts'
import { canCreateCalendar, PLANS, type Plan, type PlanTier } from '#core/plans/plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import { PLAN_GATES, type PlanGateName } from './plan-gates.ts'
import { findPlanRow, findSubscription, listPausedCalendars } from './repository.ts'

/** The plan of owners who have not bought one: free, unless the operator set another default. */
export type DefaultPlanSettings = { readonly defaultTier: PlanTier }
export type SubscriptionDeps = DefaultPlanSettings & {
  readonly db: Db
  readonly now: Clock
  /** The billing provider; null when this installation sells no plans. */
  readonly billing: BillingProvider | null
}

/**
 * Returns the plan that applies to an owner: the bought plan, or else the default. `db` may be a transaction. Source:
 * rule S5.
 */
export async function getPlan(
  settings: DefaultPlanSettings,
  db: Db,
  ownerId: OwnerId,
  now: Date,
): Promise<{ plan: Plan; endsAt: Date | null }> {
  const subscription = await findSubscription(db, ownerId, now)
  return { plan: PLANS[subscription?.tier ?? settings.defaultTier], endsAt: subscription?.endsAt ?? null }
}

/**
 * Refuses a feature that the owner's plan does not include. Call it where the feature is created, enabled or changed,
 * never where it is read or removed. Source: rule S4.
 * @throws ProblemError the refusal of the gate
 */
export async function refuseFeatureOutsidePlan(
  deps: Pick<SubscriptionDeps, 'db' | 'now' | 'defaultTier'>,
  ownerId: OwnerId,
  gate: PlanGateName,
): Promise<void> {
  const { plan } = await getPlan(deps, deps.db, ownerId, new Date(deps.now()))
  const { isIncluded, refusal } = PLAN_GATES[gate]
  if (!isIncluded(plan)) throw new ProblemError(refusal)
}

/**
 * Refuses an additional calendar when the plan's limit is reached. The caller has locked the owner's account. Source:
 * rule S3.
 * @throws ProblemError `calendar.limit_reached`
 */
export async function refuseCalendarOverLimit(
  deps: DefaultPlanSettings,
  db: Db,
  ownerId: OwnerId,
  { calendarCount, now }: { readonly calendarCount: number; readonly now: Date },
): Promise<void> {
  const { plan } = await getPlan(deps, db, ownerId, now)
  if (!canCreateCalendar(plan, calendarCount)) throw new ProblemError('calendar.limit_reached')
}

/** Returns the owner's plan with its price and limits (rules S5 and S11). */
export async function getPlanOverview(
  deps: SubscriptionDeps,
  ownerId: OwnerId,
): Promise<SubscriptionResponse> {
  const nowMs = deps.now()
  const stored = (await findPlanRow(deps.db, ownerId))?.plan ?? null
  const standing = planStatusOf(stored, nowMs)
  const inForce = standing === 'none' ? null : stored
  const plan = PLANS[inForce?.tier ?? deps.defaultTier]
  return {
    subscribed: plan.tier !== 'free',
    subscription_tier: plan.name,
    subscription_end: toInstant(inForce?.endsAtMs),
    // If the owner has bought no plan, the installation's default plan may still be better than the free plan.
    standing: standing === 'none' && plan.tier !== 'free' ? 'given' : standing,
    next_charge: toNextCharge(inForce),
    next_tier: toNextTier(deps, inForce),
    past_due_since: toInstant(inForce?.bought?.pastDueSinceMs),
    can_manage: deps.billing !== null && stored !== null && stored.bought !== null,
    paused_calendars: await listPausedCalendars(deps.db, ownerId),
    limits: {
      calendars: plan.calendarLimit,
      integrations: [...plan.integrations],
      features: [...plan.features],
    },
  }
}

/** Returns the next charge. A running subscription that was not cancelled is charged at the end of its period. */
function toNextCharge(plan: StoredPlan | null): SubscriptionResponse['next_charge'] {
  const bought = plan?.bought ?? null
  if (plan === null || bought === null || !isSubscriptionRunning(bought) || plan.endsAtMs !== null)
    return null
  const { amountCents, currency, periodEndsAtMs } = bought
  return { amount_cents: amountCents, currency, at: new Date(periodEndsAtMs).toISOString() }
}

/**
 * Returns the plan that follows: the default if the current plan has an end, otherwise the plan to which the owner has
 * switched.
 */
function toNextTier(
  { defaultTier }: DefaultPlanSettings,
  plan: StoredPlan | null,
): SubscriptionResponse['next_tier'] {
  if (plan === null || plan.bought === null) return null
  if (plan.endsAtMs !== null) return PLANS[defaultTier].name
  const { nextTier } = plan.bought
  return nextTier === null ? null : PLANS[nextTier].name
}

function toInstant(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString()
}
