import { postForm } from './post-form.ts'

/** Test cards of the billing sandbox. */
export const BILLING_TEST_CARDS = {
  pays: '4242 4242 4242 4242',
  failsLater: '4000 0000 0000 0341',
  isDeclined: '4000 0000 0000 0002',
} as const

/** Buttons for a subscription in the sandbox's dashboard. */
export type BillingDashboardButton =
  | 'month'
  | 'retry'
  | 'cancel_unpaid'
  | 'leave_unpaid'
  | 'end'
  | 'unknown_price'

/** Tries to pay a checkout or an invoice on its page. */
export function payOnBillingPage(url: string, card: string = BILLING_TEST_CARDS.pays): Promise<Response> {
  return postForm(url, { card })
}

/** Presses a button for a subscription in the dashboard. `url` is the URL of any page of the sandbox. */
export function pressBillingDashboardButton(
  url: string,
  subscriptionId: string,
  action: BillingDashboardButton,
): Promise<Response> {
  return postForm(new URL(`/dashboard/subscriptions/${subscriptionId}`, url).href, { action })
}

/** Deletes a customer in the dashboard. */
export function deleteBillingCustomer(url: string, customerId: string): Promise<Response> {
  return postForm(new URL(`/dashboard/customers/${customerId}/delete`, url).href, {})
}

/** Starts or ends an outage of the sandbox, during which it refuses Meridian's calls. */
export function setBillingOutage(url: string, isDown: boolean): Promise<Response> {
  return postForm(new URL('/dashboard/outage', url).href, { action: isDown ? 'begin' : 'end' })
}
