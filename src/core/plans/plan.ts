/** The limits and features of each plan (rule S1). */
export type PlanTier = 'free' | 'professional' | 'business' | 'enterprise'

export type Plan = {
  readonly tier: PlanTier
  readonly name: 'Free' | 'Professional' | 'Business' | 'Enterprise'
  /** Maximum number of calendars; null means unlimited. */
  readonly calendarLimit: number | null
  readonly integrations: readonly string[]
  readonly features: readonly string[]
}

const BASIC = ['basic_booking', 'email_notifications'] as const

/** PayPal requires Business; branding and custom domains require Professional. */
export const PLANS: Readonly<Record<PlanTier, Plan>> = {
  free: {
    tier: 'free',
    name: 'Free',
    calendarLimit: 1,
    integrations: ['google_calendar', 'stripe'],
    features: [...BASIC],
  },
  professional: {
    tier: 'professional',
    name: 'Professional',
    calendarLimit: 3,
    integrations: ['google_calendar', 'stripe'],
    features: [...BASIC, 'custom_branding', 'custom_domains'],
  },
  business: {
    tier: 'business',
    name: 'Business',
    calendarLimit: 5,
    integrations: ['google_calendar', 'stripe', 'paypal'],
    features: [...BASIC, 'custom_branding', 'custom_domains', 'priority_support'],
  },
  enterprise: {
    tier: 'enterprise',
    name: 'Enterprise',
    calendarLimit: null,
    integrations: ['google_calendar', 'stripe', 'paypal'],
    features: [...BASIC, 'custom_branding', 'custom_domains', 'priority_support'],
  },
}

/** True when `plan` is `other` or a larger plan: each plan includes the smaller ones. Source: rule S2. */
export function includesPlan(plan: PlanTier, other: PlanTier): boolean {
  return FROM_SMALL_TO_LARGE.indexOf(other) <= FROM_SMALL_TO_LARGE.indexOf(plan)
}

const FROM_SMALL_TO_LARGE: readonly PlanTier[] = ['free', 'professional', 'business', 'enterprise']

/** True when an owner with `count` calendars may create another one. Source: rule S3. */
export function canCreateCalendar(plan: Plan, count: number): boolean {
  return plan.calendarLimit === null || count < plan.calendarLimit
}
