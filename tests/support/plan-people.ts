import { post } from './post-form.ts'

/** Test cards of the billing sandbox. */
export const PLAN_CARD = {
  pays: '4242 4242 4242 4242',
  failsLater: '4000 0000 0000 0341',
  isDeclined: '4000 0000 0000 0002',
} as const

/** Buttons for a subscription in the sandbox's dashboard. */
export type PlanPress = 'month' | 'retry' | 'cancel_unpaid' | 'leave_unpaid' | 'end' | 'unknown_price'

/** Tries to pay a checkout or an invoice on its page. */
export function payPlan(url: string, card: string = PLAN_CARD.pays): Promise<Response> {
  return post(url, { card })
}

/** Presses a button for a subscription in the dashboard. `url` is the URL of any page of the sandbox. */
export function pressPlan(url: string, subscriptionId: string, action: PlanPress): Promise<Response> {
  return post(new URL(`/dashboard/subscriptions/${subscriptionId}`, url).href, { action })
}

/** Deletes a customer in the dashboard. */
export function deletePlanCustomer(url: string, customerId: string): Promise<Response> {
  return post(new URL(`/dashboard/customers/${customerId}/delete`, url).href, {})
}

/** Starts or ends an outage of the sandbox, during which it refuses the product's calls. */
export function setPlanOutage(url: string, isDown: boolean): Promise<Response> {
  return post(new URL('/dashboard/outage', url).href, { action: isDown ? 'begin' : 'end' })
}
