import type { SitePageData } from '#contract/pages/page-data.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { SUBSCRIPTION_PROBLEMS } from '#contract/plans/subscription-problems.ts'
import { includesPlan, PLANS, type PlanTier } from '#core/plans/plan.ts'

/**
 * Who looks at the prices: a visitor, or an owner with a plan (null until it is known which); undefined until that is
 * known.
 */
export type PlanViewer =
  | { readonly signedIn: false | undefined }
  | { readonly signedIn: true; readonly subscription: SubscriptionResponse | null }

/** What the installation gives and sells. */
export type PlanSale = Pick<SitePageData, 'default_plan' | 'plans_for_sale'>

type PlanNotice = 'coming_soon' | 'not_sold' | 'already_free' | 'already_yours' | 'included' | 'follows'

/**
 * What the button of a plan does. `log_in` and `subscribe` lead to the checkout, `upgrade`, `manage`, `card` and `keep` to a
 * page of the portal, `smaller` to what the change would do. All others only tell something.
 */
export type PlanAnswer =
  | 'register'
  | 'log_in'
  | 'subscribe'
  | 'upgrade'
  | 'smaller'
  | 'manage'
  | 'card'
  | 'keep'
  | PlanNotice

/** The effect of a plan's button. Source: rule S6. */
export function decidePlanAnswer(tier: PlanTier, viewer: PlanViewer, sale: PlanSale): PlanAnswer {
  if (viewer.signedIn) return decideForOwner(tier, viewer.subscription, sale)
  if (includesPlan(sale.default_plan, tier)) return 'register'
  // Who is not known yet may have logged in: the server says when they have not.
  return answerToBuyer(tier, sale, viewer.signedIn === undefined ? 'subscribe' : 'log_in')
}

function decideForOwner(
  tier: PlanTier,
  subscription: SubscriptionResponse | null,
  sale: PlanSale,
): PlanAnswer {
  const own = subscription === null ? sale.default_plan : tierNamed(subscription.subscription_tier)
  const hasBought = subscription !== null && isBought(subscription)
  if (hasBought) return decideForBuyer(tier, subscription, sale)
  if (subscription !== null && tier === own) return tier === 'free' ? 'already_free' : 'already_yours'
  return includesPlan(own, tier) ? 'included' : answerToBuyer(tier, sale, 'subscribe')
}

/** The way to change a plan that was bought. One that failed for good is bought again. */
function decideForBuyer(tier: PlanTier, subscription: SubscriptionResponse, sale: PlanSale): PlanAnswer {
  const own = tierNamed(subscription.subscription_tier)
  const { standing, next_tier } = subscription
  if (tier === own && standing !== 'unpaid') return OWN_PLAN[standing]
  if (next_tier !== null && tier === tierNamed(next_tier)) return 'follows'
  if (standing === 'unpaid' && !includesPlan(sale.default_plan, tier))
    return answerToBuyer(tier, sale, 'subscribe')
  if (tier === sale.default_plan) return 'smaller'
  if (includesPlan(sale.default_plan, tier)) return 'included'
  return answerToBuyer(tier, sale, includesPlan(own, tier) ? 'smaller' : 'upgrade')
}

const OWN_PLAN: Record<Exclude<SubscriptionResponse['standing'], 'unpaid'>, PlanAnswer> = {
  none: 'already_yours',
  given: 'already_yours',
  active: 'manage',
  ending: 'keep',
  past_due: 'card',
}

function answerToBuyer(tier: PlanTier, { plans_for_sale }: PlanSale, answer: PlanAnswer): PlanAnswer {
  if (tier === 'enterprise') return 'coming_soon'
  return plans_for_sale.some((plan) => plan.tier === tier) ? answer : 'not_sold'
}

/** Whether the owner pays for the plan, or did until its last payment failed. */
export function isBought({ standing }: Pick<SubscriptionResponse, 'standing'>): boolean {
  return standing !== 'none' && standing !== 'given'
}

/** The plan of a name. */
export function tierNamed(name: SubscriptionResponse['subscription_tier']): PlanTier {
  return Object.values(PLANS).find((plan) => plan.name === name)?.tier ?? 'free'
}

/** What the button says. A plan that is not sold has none. */
export const ANSWER_LABELS: Readonly<Record<Exclude<PlanAnswer, 'not_sold'>, string>> = {
  register: 'Get Started',
  log_in: 'Subscribe',
  subscribe: 'Subscribe',
  upgrade: 'Upgrade',
  smaller: 'Change to this plan',
  manage: 'Manage plan',
  card: 'Update card',
  keep: 'Keep this plan',
  coming_soon: 'Coming soon',
  already_free: 'Your plan',
  already_yours: 'Your plan',
  included: 'Included',
  follows: 'Your next plan',
}

/** The sentence of each notice. Source: rule S6. */
export const PLAN_NOTICES: Readonly<Record<PlanNotice, string>> = {
  coming_soon: 'This plan is coming soon! Stay tuned for updates.',
  not_sold: SUBSCRIPTION_PROBLEMS['subscription.not_for_sale'].title,
  already_free: 'You are already on the free plan',
  already_yours: 'You are already on this plan',
  included: 'Your plan already includes everything in this plan',
  follows: 'This plan follows when your present one ends',
}

/** Whether the button only tells something. */
export function isNotice(answer: PlanAnswer): answer is PlanNotice {
  return answer in PLAN_NOTICES
}
