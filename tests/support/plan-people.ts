import { post } from './post-form.ts'

/** Cards of the stand-in that sells plans. */
export const PLAN_CARD = {
  pays: '4242 4242 4242 4242',
  failsLater: '4000 0000 0000 0341',
  isDeclined: '4000 0000 0000 0002',
} as const

/** What the operator does with a subscription in the stand-in's dashboard, or time. */
export type PlanPress = 'month' | 'retry' | 'cancel_unpaid' | 'leave_unpaid' | 'end' | 'unknown_price'

/** Pays a checkout of a plan on its page, or tries to. The card is good until then: month/year. */
export function payPlan(
  checkoutUrl: string,
  { card = PLAN_CARD.pays, expiry = '12/34' }: { readonly card?: string; readonly expiry?: string } = {},
): Promise<Response> {
  return post(checkoutUrl, { card, expiry })
}

/** Presses a button of a subscription in the dashboard. `url` is any page of the stand-in. */
export function pressPlan(url: string, subscriptionId: string, action: PlanPress): Promise<Response> {
  return post(new URL(`/dashboard/subscriptions/${subscriptionId}`, url).href, { action })
}

/** Deletes a customer in the dashboard. */
export function deletePlanCustomer(url: string, customerId: string): Promise<Response> {
  return post(new URL(`/dashboard/customers/${customerId}/delete`, url).href, {})
}

/** Has the stand-in answer no request of the product, or answer again. */
export function setPlanOutage(url: string, isDown: boolean): Promise<Response> {
  return post(new URL('/dashboard/outage', url).href, { action: isDown ? 'begin' : 'end' })
}
