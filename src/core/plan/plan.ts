/** What each plan allows (rule S1). */
export type PlanTier = 'free' | 'professional' | 'business' | 'enterprise'

export type Plan = {
  readonly tier: PlanTier
  readonly name: 'Free' | 'Professional' | 'Business' | 'Enterprise'
  /** Calendars the plan allows; null is unlimited. */
  readonly calendarLimit: number | null
  readonly integrations: readonly string[]
  readonly features: readonly string[]
}

const BASIC = ['basic_booking', 'email_notifications'] as const

/** PayPal begins with Business; branding and domains with Professional. */
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

/** Whether `plan` has all that `other` has: each includes the smaller ones. Source: rule S2. */
export function includesPlan(plan: PlanTier, other: PlanTier): boolean {
  return FROM_SMALL_TO_LARGE.indexOf(other) <= FROM_SMALL_TO_LARGE.indexOf(plan)
}

const FROM_SMALL_TO_LARGE: readonly PlanTier[] = ['free', 'professional', 'business', 'enterprise']

/** Whether an owner on `plan` with `count` calendars may create another one. Source: rule S3. */
export function canCreateCalendar(plan: Plan, count: number): boolean {
  return plan.calendarLimit === null || count < plan.calendarLimit
}
