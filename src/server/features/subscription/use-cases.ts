import type { SubscriptionResponse } from '#contract/subscription.ts'
import { PLANS, type Plan, type PlanTier } from '#core/plan/plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { findSubscription } from './repository.ts'

/** The plan of owners who bought none: free, unless whoever runs the product decided otherwise. */
export type PlanSettings = { readonly defaultTier: PlanTier }
export type SubscriptionDeps = PlanSettings & { readonly db: Db; readonly now: Clock }

/** The plan that counts: the bought one, else the default. */
export function toPlan(settings: PlanSettings, boughtTier: PlanTier | null): Plan {
  return PLANS[boughtTier ?? settings.defaultTier]
}

/** What the owner's plan is and allows (spec §3 "Subscription status", "Feature limits"). */
export async function planOf(deps: SubscriptionDeps, ownerId: OwnerId): Promise<SubscriptionResponse> {
  const subscription = await findSubscription(deps.db, ownerId, new Date(deps.now()))
  const plan = toPlan(deps, subscription?.tier ?? null)
  return {
    subscribed: plan.tier !== 'free',
    subscription_tier: plan.name,
    subscription_end: subscription?.endsAt?.toISOString() ?? null,
    limits: {
      calendars: plan.calendarLimit,
      integrations: [...plan.integrations],
      features: [...plan.features],
    },
  }
}
