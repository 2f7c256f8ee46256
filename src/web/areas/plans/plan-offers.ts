import { PLANS, type Plan, type PlanTier } from '#core/plans/plan.ts'

/** A feature of a plan. */
type PlanFeature = {
  text: string
  /** True if the feature is announced but not available yet. */
  soon: boolean
}

/** A plan on the price page. Source: rule S1. */
export type PlanOffer = {
  tier: PlanTier
  name: string
  /** The name of the next smaller plan, whose features this plan includes; null for the smallest plan. */
  builtOn: string | null
  /** The features that this plan has and the next smaller plan lacks. */
  gives: readonly PlanFeature[]
}

/** Display names of the features that only larger plans have. */
export const FEATURE_NAMES: Readonly<Record<string, string>> = {
  custom_branding: 'Custom branding',
  custom_domains: 'Custom domains',
}

/** Display names of features that are announced for larger plans but not available yet. */
export const ANNOUNCED_FEATURES: Readonly<Record<string, string>> = {
  priority_support: 'Priority support',
}

/** Display names of the integrations that only larger plans have. */
export const INTEGRATION_NAMES: Readonly<Record<string, string>> = { paypal: 'PayPal payments' }

/** The four plans, from the smallest to the largest. */
export const PLAN_OFFERS: readonly PlanOffer[] = [
  offer('free', null),
  offer('professional', 'free'),
  offer('business', 'professional'),
  offer('enterprise', 'business'),
]

/** Lists the features that all plans have. `canConnectStripe` adds card payments. */
export function listCommonFeatures(canConnectStripe: boolean): readonly string[] {
  return [
    'A booking page with its own link',
    'Unlimited appointments and appointment types',
    'Protection against double bookings',
    'Correct time zones for you and your customers',
    'Confirmation emails with a calendar file',
    'Reminders in your own words',
    ...(canConnectStripe ? ['Card payments through your own Stripe account'] : []),
    'Cancellation requests from your customers',
    'Two-factor authentication, and all your data as one archive',
  ]
}

function offer(tier: PlanTier, below: PlanTier | null): PlanOffer {
  const plan = PLANS[tier]
  const smaller = below === null ? null : PLANS[below]
  return { tier, name: plan.name, builtOn: smaller?.name ?? null, gives: listExtraFeatures(plan, smaller) }
}

/** Lists the features that `plan` has and `smaller` lacks. */
function listExtraFeatures(plan: Plan, smaller: Plan | null): PlanFeature[] {
  const calendars = { text: calendarsText(plan.calendarLimit), soon: false }
  if (smaller === null) return [calendars, { text: 'Everything “In every plan”', soon: false }]
  const promised = plan.features
    .filter((feature) => !smaller.features.includes(feature))

    .map((feature) => ({
      text: FEATURE_NAMES[feature] ?? ANNOUNCED_FEATURES[feature] ?? feature,
      soon: feature in ANNOUNCED_FEATURES,
    }))
  const integrations = plan.integrations
    .filter((name) => !smaller.integrations.includes(name))
    .map((name) => ({ text: INTEGRATION_NAMES[name] ?? name, soon: false }))
  return [calendars, ...integrations, ...promised]
}

function calendarsText(limit: number | null): string {
  if (limit === null) return 'Unlimited calendars'
  return limit === 1 ? '1 calendar' : `${limit} calendars`
}
