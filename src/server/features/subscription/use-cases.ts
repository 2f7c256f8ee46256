import type { ProblemCode } from '#contract/problem.ts'
import type { SubscriptionResponse } from '#contract/subscription.ts'
import { PLANS, type Plan, type PlanTier } from '#core/plan/plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { findSubscription } from './repository.ts'

/** The plan of owners who have not bought one: free, unless the operator decided otherwise. */
export type PlanSettings = { readonly defaultTier: PlanTier }
export type SubscriptionDeps = PlanSettings & { readonly db: Db; readonly now: Clock }

/** The plan that applies: the bought one, else the default. `db` may be a transaction. Source: rule S5. */
export async function getPlan(
  settings: PlanSettings,
  db: Db,
  ownerId: OwnerId,
  now: Date,
): Promise<{ plan: Plan; endsAt: Date | null }> {
  const subscription = await findSubscription(db, ownerId, now)
  return { plan: PLANS[subscription?.tier ?? settings.defaultTier], endsAt: subscription?.endsAt ?? null }
}

/**
 * Refuses what the owner's plan does not include. It is asked where something is set up, never where it is read or removed.
 * Source: rule S4.
 * @throws ProblemError the refusal that is given
 */
export async function refuseOutsidePlan(
  deps: SubscriptionDeps,
  ownerId: OwnerId,
  { integration, refusal }: { readonly integration: string; readonly refusal: ProblemCode },
): Promise<void> {
  const { plan } = await getPlan(deps, deps.db, ownerId, new Date(deps.now()))
  if (!plan.integrations.includes(integration)) throw new ProblemError(refusal)
}

/** What the owner's plan is and allows (rule S5). */
export async function planOf(deps: SubscriptionDeps, ownerId: OwnerId): Promise<SubscriptionResponse> {
  const { plan, endsAt } = await getPlan(deps, deps.db, ownerId, new Date(deps.now()))
  return {
    subscribed: plan.tier !== 'free',
    subscription_tier: plan.name,
    subscription_end: endsAt?.toISOString() ?? null,
    standing: plan.tier === 'free' ? 'none' : 'given',
    next_charge: null,
    next_tier: null,
    past_due_since: null,
    can_manage: false,
    paused_calendars: [],
    limits: {
      calendars: plan.calendarLimit,
      integrations: [...plan.integrations],
      features: [...plan.features],
    },
  }
}
