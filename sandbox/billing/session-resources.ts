import type Stripe from 'stripe'
import { BLANK_SESSION } from '#sandbox/stripe/blank-resources.ts'
import { getPrice } from './prices.ts'
import type { SandboxCustomer, SandboxPlanCheckout } from './records.ts'

/** Stripe ends a session by itself a day after it was made. Source: https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at */
export const SESSION_LIFETIME_S = 24 * 60 * 60

/** A checkout of a plan as Stripe shows it. `origin` is where its page is. */
export function toPlanSession(
  checkout: SandboxPlanCheckout,
  customer: SandboxCustomer,
  origin: string,
): Stripe.Checkout.Session {
  const { amountCents, currency } = getPrice(checkout.priceId)
  return {
    ...BLANK_SESSION,
    id: checkout.id,
    amount_subtotal: amountCents,
    amount_total: amountCents,
    cancel_url: checkout.cancelUrl,
    client_reference_id: checkout.clientReferenceId,
    created: checkout.createdS,
    currency,
    customer: checkout.customerId,
    customer_creation: null,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name,
      phone: null,
      tax_exempt: 'none',
      tax_ids: null,
    },
    customer_email: null,
    expires_at: checkout.createdS + SESSION_LIFETIME_S,
    metadata: checkout.metadata,
    mode: 'subscription',
    payment_intent: null,
    payment_method_collection: 'always',
    payment_status: checkout.status === 'complete' ? 'paid' : 'unpaid',
    status: checkout.status,
    subscription: checkout.subscriptionId,
    success_url: checkout.successUrl,
    url: checkout.status === 'open' ? `${origin}/c/pay/${checkout.id}` : null,
  }
}
