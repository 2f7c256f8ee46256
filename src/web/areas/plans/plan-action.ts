import type { SitePageData } from '#contract/pages/page-data.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { SUBSCRIPTION_PROBLEMS } from '#contract/plans/subscription-problems.ts'
import { includesPlan, PLANS, type PlanTier } from '#core/plans/plan.ts'

/**
 * The viewer of the price page: a visitor, or an owner with a subscription (null until it has loaded). `signedIn` is
 * undefined until the session has loaded.
 */
export type PlanViewer =
  | { readonly signedIn: false | undefined }
  | { readonly signedIn: true; readonly subscription: SubscriptionResponse | null }

/** The installation's default plan and the plans for sale there. */
export type PlansForSale = Pick<SitePageData, 'default_plan' | 'plans_for_sale'>

type PlanNotice = 'coming_soon' | 'not_sold' | 'already_free' | 'already_yours' | 'included' | 'follows'

/**
 * The action of a plan's button. `register` opens the registration. `log_in` opens the login, then the checkout, and
 * `subscribe` opens the checkout. `upgrade`, `manage`, `card` and `keep` open the billing portal. `smaller` opens a
 * dialog about the change. The others only show a notice.
 */
export type PlanAction =
  | 'register'
  | 'log_in'
  | 'subscribe'
  | 'upgrade'
  | 'smaller'
  | 'manage'
  | 'card'
  | 'keep'
  | PlanNotice

/** Decides what the button of a plan does. Source: rule S6. */
export function decidePlanAction(tier: PlanTier, viewer: PlanViewer, sale: PlansForSale): PlanAction {
  if (viewer.signedIn) return decideForOwner(tier, viewer.subscription, sale)
  if (includesPlan(sale.default_plan, tier)) return 'register'
  // Until the session has loaded, assume that the viewer is logged in. If not, the server refuses the checkout.
  return decideForSale(tier, sale, viewer.signedIn === undefined ? 'subscribe' : 'log_in')
}

function decideForOwner(
  tier: PlanTier,
  subscription: SubscriptionResponse | null,
  sale: PlansForSale,
): PlanAction {
  const own = subscription === null ? sale.default_plan : toPlanTier(subscription.subscription_tier)
  const hasBought = subscription !== null && isPaidPlan(subscription)
  if (hasBought) return decideForBuyer(tier, subscription, sale)
  if (subscription !== null && tier === own) return tier === 'free' ? 'already_free' : 'already_yours'
  return includesPlan(own, tier) ? 'included' : decideForSale(tier, sale, 'subscribe')
}

/** Decides the action for an owner who has bought a plan. If all payment attempts have failed, the plan must be bought again. */
function decideForBuyer(tier: PlanTier, subscription: SubscriptionResponse, sale: PlansForSale): PlanAction {
  const own = toPlanTier(subscription.subscription_tier)
  const { standing, next_tier } = subscription
  if (tier === own && standing !== 'unpaid') return OWN_PLAN[standing]
  if (next_tier !== null && tier === toPlanTier(next_tier)) return 'follows'
  if (standing === 'unpaid' && !includesPlan(sale.default_plan, tier))
    return decideForSale(tier, sale, 'subscribe')
  if (tier === sale.default_plan) return 'smaller'
  if (includesPlan(sale.default_plan, tier)) return 'included'
  return decideForSale(tier, sale, includesPlan(own, tier) ? 'smaller' : 'upgrade')
}

const OWN_PLAN: Record<Exclude<SubscriptionResponse['standing'], 'unpaid'>, PlanAction> = {
  none: 'already_yours',
  given: 'already_yours',
  active: 'manage',
  ending: 'keep',
  past_due: 'card',
}

function decideForSale(tier: PlanTier, { plans_for_sale }: PlansForSale, answer: PlanAction): PlanAction {
  if (tier === 'enterprise') return 'coming_soon'
  return plans_for_sale.some((plan) => plan.tier === tier) ? answer : 'not_sold'
}

/** True if the owner has bought the plan, even if the last payment failed. */
export function isPaidPlan({ standing }: Pick<SubscriptionResponse, 'standing'>): boolean {
  return standing !== 'none' && standing !== 'given'
}

/** Finds the tier of a plan by the plan's name; `free` for an unknown name. */
export function toPlanTier(name: SubscriptionResponse['subscription_tier']): PlanTier {
  return Object.values(PLANS).find((plan) => plan.name === name)?.tier ?? 'free'
}

/** The labels of the buttons. A plan that is not for sale has no button. */
export const PLAN_ACTION_LABELS: Readonly<Record<Exclude<PlanAction, 'not_sold'>, string>> = {
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

/** The texts of the notices. Source: rule S6. */
export const PLAN_NOTICES: Readonly<Record<PlanNotice, string>> = {
  coming_soon: 'This plan is coming soon! Stay tuned for updates.',
  not_sold: SUBSCRIPTION_PROBLEMS['subscription.not_for_sale'].title,
  already_free: 'You are already on the free plan',
  already_yours: 'You are already on this plan',
  included: 'Your plan already includes everything in this plan',
  follows: 'This plan starts when your current one ends',
}

/** True if the button only shows a notice. */
export function isPlanNotice(answer: PlanAction): answer is PlanNotice {
  return answer in PLAN_NOTICES
}
