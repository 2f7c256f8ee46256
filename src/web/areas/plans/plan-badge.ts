import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import type { PlanTier } from '#core/plans/plan.ts'
import { browserTimeZone, formatMonthDay, localDateOf } from '#web/shared/format-date.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import { type PlanSale, type PlanViewer, tierNamed } from './plan-answer.ts'

/** A word above the name of a plan. */
export type PlanBadge = { readonly text: string; readonly tone: BadgeTone }

/** Null where there is nothing to say. */
export function toPlanBadge(tier: PlanTier, viewer: PlanViewer, sale: PlanSale): PlanBadge | null {
  // An owner who is logged in knows it already.
  if (!viewer.signedIn) return sale.default_plan === tier ? { text: 'Open now', tone: 'noon' } : null
  if (viewer.subscription === null) return null
  const { standing, subscription_tier, subscription_end: end, next_tier } = viewer.subscription
  const day = end === null ? null : formatMonthDay(localDateOf(end, browserTimeZone()))
  if (tierNamed(subscription_tier) === tier) return ownBadge(standing, day)
  const isNext = next_tier !== null && tierNamed(next_tier) === tier
  return isNext && day !== null ? { text: `From ${day}`, tone: 'neutral' } : null
}

function ownBadge(standing: SubscriptionResponse['standing'], day: string | null): PlanBadge {
  if (standing === 'past_due' || standing === 'unpaid') return { text: 'Payment failed', tone: 'danger' }
  if (standing === 'ending' && day !== null) return { text: `Ends ${day}`, tone: 'warning' }
  return { text: 'Your plan', tone: 'info' }
}
