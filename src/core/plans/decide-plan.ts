import { DAY_MS } from '#core/shared/duration.ts'
import type { PlanTier } from './plan.ts'

/** A plan that can be bought. */
export type PaidTier = Extract<PlanTier, 'professional' | 'business'>

/** Source: https://docs.stripe.com/api/subscriptions/object#subscription_object-status */
export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'canceled'
  | 'unpaid'
  | 'paused'

/** A subscription at the billing provider, with its price mapped to a plan. Times are epoch milliseconds. */
export type SubscriptionWithTier = {
  readonly id: string
  readonly status: SubscriptionStatus
  /** Null when the price is not one of the plans for sale. */
  readonly tier: PaidTier | null
  /** The plan that starts at the end of the period; null when it does not change or its price is unknown. */
  readonly nextTier: PaidTier | null
  /** Price of the next period, in minor units of `currency`. */
  readonly amountCents: number
  readonly currency: string
  readonly createdAtMs: number
  readonly periodEndsAtMs: number
  readonly cancelsAtMs: number | null
  readonly endedAtMs: number | null
  readonly hasFailedForGood: boolean
}

/** The stored plan of an owner. */
export type StoredPlan = {
  readonly tier: Exclude<PlanTier, 'free'>
  /** When the plan ends; null when no end is known. */
  readonly endsAtMs: number | null
  /** Null when the operator granted the plan. */
  readonly bought: {
    readonly subscriptionId: string
    readonly status: SubscriptionStatus
    readonly periodEndsAtMs: number
    readonly cancelsAtMs: number | null
    readonly nextTier: Exclude<PlanTier, 'free'> | null
    readonly amountCents: number
    readonly currency: string
    /** When the outstanding payment first failed; null when nothing is outstanding. */
    readonly pastDueSinceMs: number | null
  } | null
}

/**
 * A duplicate subscription that must be ended, because another one provides the plan. `isPaid`: its payment must be
 * refunded.
 */
export type DuplicateSubscription = {
  readonly id: string
  readonly isPaid: boolean
  readonly tier: PaidTier | null
}

export type PlanDecision = {
  /** The plan to store; null when the stored plan does not change. */
  readonly plan: StoredPlan | null
  readonly seconds: readonly DuplicateSubscription[]
  /** Ids of active subscriptions whose price is not one of ours. */
  readonly unknownPrices: readonly string[]
}

/** How long a plan remains after its payment has failed for good, in days. Source: rule S11. */
const GRACE_DAYS = 14

/** Statuses in which a subscription provides its plan and keeps charging. */
const RUNNING: ReadonlySet<SubscriptionStatus> = new Set(['trialing', 'active', 'past_due'])

/** True when a subscription provides its plan and keeps charging. */
export function isSubscriptionRunning({ status }: { readonly status: SubscriptionStatus }): boolean {
  return RUNNING.has(status)
}

/** True when a stored plan applies at `nowMs`. */
export function isPlanActive(plan: Pick<StoredPlan, 'endsAtMs'>, nowMs: number): boolean {
  return plan.endsAtMs === null || plan.endsAtMs > nowMs
}

/**
 * Decides which plan an owner has from all of their subscriptions. Uses their current state only, not the order of
 * events. Source: rule S11.
 */
export function decidePlan(
  subscriptions: readonly SubscriptionWithTier[],
  stored: StoredPlan | null,
  nowMs: number,
): PlanDecision {
  const running = subscriptions
    .filter(isSubscriptionRunning)
    .sort(byAge(stored?.bought?.subscriptionId ?? null))
  const unknownPrices = running.filter(({ tier }) => tier === null).map(({ id }) => id)
  const isGiven = stored !== null && stored.bought === null && isPlanActive(stored, nowMs)
  if (isGiven) return { plan: null, seconds: [], unknownPrices }
  const [first, ...others] = running.filter(({ tier }) => tier !== null)
  if (first !== undefined) {
    const unpaid = subscriptions.filter(({ status, tier }) => status === 'unpaid' && tier !== null)
    const seconds = [
      ...others.map(({ id, tier }) => ({ id, tier, isPaid: true })),
      ...unpaid.map(({ id, tier }) => ({ id, tier, isPaid: false })),
    ]
    return { plan: toPlan(first, stored, nowMs), seconds, unknownPrices }
  }
  if (unknownPrices.length > 0) {
    const own = running.find(({ id }) => id === stored?.bought?.subscriptionId)
    return { plan: own === undefined ? null : toPlan(own, stored, nowMs), seconds: [], unknownPrices }
  }
  return { plan: decideEnded(subscriptions, stored, nowMs), seconds: [], unknownPrices }
}

/**
 * No subscription is active. An ended one may still provide its plan for a grace period; otherwise the stored plan
 * ends.
 */
function decideEnded(
  subscriptions: readonly SubscriptionWithTier[],
  stored: StoredPlan | null,
  nowMs: number,
): StoredPlan | null {
  const [last] = subscriptions
    .filter(({ status }) => status === 'unpaid' || status === 'canceled')
    .map((subscription) => toPlan(subscription, stored, nowMs))
    .filter((plan) => plan !== null)
    .sort((a, b) => (b.endsAtMs ?? 0) - (a.endsAtMs ?? 0))
  if (last !== undefined) return last
  if (stored === null || stored.bought === null) return null
  const own = subscriptions.find(({ id }) => id === stored.bought?.subscriptionId)
  const endsAtMs = isPlanActive(stored, nowMs) ? nowMs : stored.endsAtMs
  const status = own?.status ?? 'canceled'
  const bought = { ...stored.bought, status, cancelsAtMs: null, nextTier: null, pastDueSinceMs: null }
  return { ...stored, endsAtMs, bought }
}

/** Null when the plan of the subscription is unknown. */
function toPlan(
  subscription: SubscriptionWithTier,
  stored: StoredPlan | null,
  nowMs: number,
): StoredPlan | null {
  const { id, status, cancelsAtMs } = subscription
  const before = stored?.bought?.subscriptionId === id ? stored : null
  const tier = subscription.tier ?? before?.tier ?? null
  if (tier === null) return null
  return {
    tier,
    endsAtMs: isSubscriptionRunning(subscription) ? cancelsAtMs : endOf(subscription, before, nowMs),
    bought: {
      subscriptionId: id,
      status,
      periodEndsAtMs: subscription.periodEndsAtMs,
      cancelsAtMs,
      nextTier: isSubscriptionRunning(subscription) && cancelsAtMs === null ? subscription.nextTier : null,
      amountCents: subscription.amountCents,
      currency: subscription.currency,
      pastDueSinceMs: isOwed(subscription)
        ? (before?.bought?.pastDueSinceMs ?? subscription.endedAtMs ?? nowMs)
        : null,
    },
  }
}

/** Returns when the plan of an inactive subscription ends. An end in the past is kept. */
function endOf(subscription: SubscriptionWithTier, before: StoredPlan | null, nowMs: number): number {
  const { endedAtMs, hasFailedForGood, status } = subscription
  const failed = status === 'unpaid' || hasFailedForGood
  const endsAtMs = failed ? (endedAtMs ?? nowMs) + GRACE_DAYS * DAY_MS : (endedAtMs ?? nowMs)
  const known = before?.endsAtMs ?? null
  if (known === null || before === null) return endsAtMs
  const hasFailedBefore = before.bought?.status === 'unpaid' || before.bought?.status === 'canceled'
  if (failed && hasFailedBefore) return Math.min(known, endsAtMs)
  return known <= nowMs && endsAtMs <= nowMs ? known : endsAtMs
}

function isOwed({ status, hasFailedForGood }: SubscriptionWithTier): boolean {
  return status === 'past_due' || status === 'unpaid' || hasFailedForGood
}

/**
 * Sorts the oldest subscription first; the owner keeps that one. The provider's timestamps are in seconds: between two
 * of the same second, the stored one comes first.
 */
function byAge(storedId: string | null) {
  const rank = ({ id }: SubscriptionWithTier) => (id === storedId ? 0 : 1)
  return (a: SubscriptionWithTier, b: SubscriptionWithTier) =>
    a.createdAtMs - b.createdAtMs || rank(a) - rank(b) || (a.id < b.id ? -1 : 1)
}

/**
 * Status of a plan. `given`: granted by the operator. `ending`: the owner cancelled, and the plan lasts until its end.
 * `unpaid`: the payment failed for good, and the plan lasts until its end.
 */
export type PlanStatus = 'none' | 'given' | 'active' | 'ending' | 'past_due' | 'unpaid'

/** Source: rule S11. */
export function planStatusOf(plan: StoredPlan | null, nowMs: number): PlanStatus {
  if (plan === null || !isPlanActive(plan, nowMs)) return 'none'
  if (plan.bought === null) return 'given'
  const { status } = plan.bought
  if (status === 'past_due') return 'past_due'
  if (status === 'active' || status === 'trialing') return plan.endsAtMs === null ? 'active' : 'ending'
  return 'unpaid'
}
