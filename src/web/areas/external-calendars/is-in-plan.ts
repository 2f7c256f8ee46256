import type { SubscriptionResponse } from '#contract/plans/subscription.ts'

/** Whether the plan has external calendars, of whichever provider; a plan that is not known yet is taken to have them. Source: rule S4. */
export function isInPlan(subscription: SubscriptionResponse | undefined): boolean {
  return subscription?.limits.integrations.includes('google_calendar') ?? true
}
