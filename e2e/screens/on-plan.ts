import type { SubscriptionResponse } from '#contract/subscription.ts'
import { PLANS } from '#core/plan/plan.ts'

/** What the owner's plan is, as if it were this one. */
export function onPlan(name: SubscriptionResponse['subscription_tier']) {
  return (subscription: SubscriptionResponse): SubscriptionResponse => {
    const plan = Object.values(PLANS).find((each) => each.name === name)
    if (plan === undefined) throw new Error(`There is no plan ${name}`)
    const limits = {
      calendars: plan.calendarLimit,
      integrations: [...plan.integrations],
      features: [...plan.features],
    }
    return { ...subscription, subscribed: name !== 'Free', subscription_tier: name, limits }
  }
}
