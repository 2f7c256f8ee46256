import type { SubscriptionResponse } from '#contract/subscription.ts'
import type { PlanTier } from '#core/plan/plan.ts'
import { browserTimeZone, formatMonthDay, localDateOf } from '#web/shared/format-date.ts'
import { type PlanSale, type PlanViewer, tierNamed } from './plan-answer.ts'

/** The word above the name of a plan; null where there is nothing to say. */
export function toPlanBadge(tier: PlanTier, viewer: PlanViewer, sale: PlanSale): string | null {
  // An owner who is logged in knows it already.
  if (!viewer.signedIn) return sale.default_plan === tier ? 'Open now' : null
  if (viewer.subscription === null) return null
  const { standing, subscription_tier, subscription_end: end, next_tier } = viewer.subscription
  const day = end === null ? null : formatMonthDay(localDateOf(end, browserTimeZone()))
  if (tierNamed(subscription_tier) === tier) return ownBadge(standing, day)
  const isNext = next_tier !== null && tierNamed(next_tier) === tier
  return isNext && day !== null ? `From ${day}` : null
}

function ownBadge(standing: SubscriptionResponse['standing'], day: string | null): string {
  if (standing === 'past_due' || standing === 'unpaid') return 'Payment failed'
  return standing === 'ending' && day !== null ? `Ends ${day}` : 'Your plan'
}
