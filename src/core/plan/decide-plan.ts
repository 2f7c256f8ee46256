import { DAY_MS } from '#core/shared/duration.ts'
import type { PlanTier } from './plan.ts'

/** A plan that can be bought. */
export type BoughtTier = Extract<PlanTier, 'professional' | 'business'>

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

/** A subscription as the provider has it, with its price read as a plan. Instants are in milliseconds since the epoch. */
export type KnownSubscription = {
  readonly id: string
  readonly status: SubscriptionStatus
  /** Null when its price is none of those that are for sale here. */
  readonly tier: BoughtTier | null
  /** The plan that follows at the end of the period; null when it stays, or when its price is none of ours. */
  readonly nextTier: BoughtTier | null
  /** What the next period costs, in minor units of `currency`. */
  readonly amountCents: number
  readonly currency: string
  readonly createdAtMs: number
  readonly periodEndsAtMs: number
  readonly cancelsAtMs: number | null
  readonly endedAtMs: number | null
  readonly hasFailedForGood: boolean
}

/** What is stored about the plan of an owner. */
export type StoredPlan = {
  readonly tier: Exclude<PlanTier, 'free'>
  /** The plan applies until then; null when no end is known. */
  readonly endsAtMs: number | null
  /** Null when the operator gave the plan. */
  readonly bought: {
    readonly subscriptionId: string
    readonly status: SubscriptionStatus
    readonly periodEndsAtMs: number
    readonly cancelsAtMs: number | null
    readonly nextTier: Exclude<PlanTier, 'free'> | null
    readonly amountCents: number
    readonly currency: string
    /** When the payment that is owed failed first; null while nothing is owed. */
    readonly pastDueSinceMs: number | null
  } | null
}

/** A subscription that is to be ended, because another one gives the plan. `isPaid`: its payment goes back. */
export type SecondSubscription = {
  readonly id: string
  readonly isPaid: boolean
  readonly tier: BoughtTier | null
}

export type PlanDecision = {
  /** What is to be stored; null when what is stored stays as it is. */
  readonly plan: StoredPlan | null
  readonly seconds: readonly SecondSubscription[]
  /** The running subscriptions whose price is none of ours. */
  readonly unknownPrices: readonly string[]
}

/** How long a plan lasts after its payment has failed for good, in days. Source: rule S11. */
const GRACE_DAYS = 14

/** A subscription in one of these gives its plan, and is charged again. */
const RUNNING: ReadonlySet<SubscriptionStatus> = new Set(['trialing', 'active', 'past_due'])

/** Whether a subscription gives its plan and is charged again. */
export function isRunning({ status }: { readonly status: SubscriptionStatus }): boolean {
  return RUNNING.has(status)
}

/** Whether a stored plan applies at a moment. */
export function isPlanActive(plan: Pick<StoredPlan, 'endsAtMs'>, nowMs: number): boolean {
  return plan.endsAtMs === null || plan.endsAtMs > nowMs
}

/**
 * Decides from all subscriptions of an owner which plan they give. Only how they stand now matters, not in which order anything
 * has happened. Source: rule S11.
 */
export function decidePlan(
  subscriptions: readonly KnownSubscription[],
  stored: StoredPlan | null,
  nowMs: number,
): PlanDecision {
  const running = subscriptions.filter(isRunning).sort(byAge(stored?.bought?.subscriptionId ?? null))
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

/** No subscription runs. One that has ended may still give its plan for a while; what was stored ends otherwise. */
function decideEnded(
  subscriptions: readonly KnownSubscription[],
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

/** Null when nobody knows which plan it was. */
function toPlan(
  subscription: KnownSubscription,
  stored: StoredPlan | null,
  nowMs: number,
): StoredPlan | null {
  const { id, status, cancelsAtMs } = subscription
  const before = stored?.bought?.subscriptionId === id ? stored : null
  const tier = subscription.tier ?? before?.tier ?? null
  if (tier === null) return null
  return {
    tier,
    endsAtMs: isRunning(subscription) ? cancelsAtMs : endOf(subscription, before, nowMs),
    bought: {
      subscriptionId: id,
      status,
      periodEndsAtMs: subscription.periodEndsAtMs,
      cancelsAtMs,
      nextTier: isRunning(subscription) && cancelsAtMs === null ? subscription.nextTier : null,
      amountCents: subscription.amountCents,
      currency: subscription.currency,
      pastDueSinceMs: isOwed(subscription)
        ? (before?.bought?.pastDueSinceMs ?? subscription.endedAtMs ?? nowMs)
        : null,
    },
  }
}

/** The end of a plan whose subscription does not run any more. An end that has passed stays as it was. */
function endOf(subscription: KnownSubscription, before: StoredPlan | null, nowMs: number): number {
  const { endedAtMs, hasFailedForGood, status } = subscription
  const failed = status === 'unpaid' || hasFailedForGood
  const endsAtMs = failed ? (endedAtMs ?? nowMs) + GRACE_DAYS * DAY_MS : (endedAtMs ?? nowMs)
  const known = before?.endsAtMs ?? null
  if (known === null || before === null) return endsAtMs
  const hasFailedBefore = before.bought?.status === 'unpaid' || before.bought?.status === 'canceled'
  if (failed && hasFailedBefore) return Math.min(known, endsAtMs)
  return known <= nowMs && endsAtMs <= nowMs ? known : endsAtMs
}

function isOwed({ status, hasFailedForGood }: KnownSubscription): boolean {
  return status === 'past_due' || status === 'unpaid' || hasFailedForGood
}

/**
 * The one that was bought first is the one that the owner keeps. The provider counts in seconds: of two that were bought in the same
 * one, it is the one that is stored.
 */
function byAge(storedId: string | null) {
  const rank = ({ id }: KnownSubscription) => (id === storedId ? 0 : 1)
  return (a: KnownSubscription, b: KnownSubscription) =>
    a.createdAtMs - b.createdAtMs || rank(a) - rank(b) || (a.id < b.id ? -1 : 1)
}

/**
 * The state of a plan in one word. `given`: the operator gave it. `ending`: the owner has cancelled it, and it applies until its
 * end. `unpaid`: its payment failed for good, and it applies until its end.
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
