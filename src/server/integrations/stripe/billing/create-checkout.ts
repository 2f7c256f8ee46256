import type Stripe from 'stripe'
import { type BillingCheckoutRequest, BillingError } from '#server/ports/billing-provider.ts'
import { OWNER } from './subscription-state.ts'

/** How many checkouts of one key may have ended without a payment. */
const MOST_ENDED = 10

/**
 * The page where an owner pays for a plan. The same key gives the same page while it can be paid, and another one when it has
 * ended.
 */
export async function createCheckout(
  stripe: Stripe,
  request: BillingCheckoutRequest,
): Promise<{ url: string }> {
  let idempotencyKey = `plan-checkout-${request.key}`
  for (let attempt = 0; attempt < MOST_ENDED; attempt += 1) {
    const { id } = await stripe.checkout.sessions.create(toSessionParams(request), { idempotencyKey })
    // To a known key Stripe repeats what it said at first. How the session stands now is asked.
    const session = await stripe.checkout.sessions.retrieve(id)
    if (session.status === 'open' && session.url !== null) return { url: session.url }
    if (session.status === 'complete') throw new BillingError('refused', 'This plan was paid a moment ago.')
    idempotencyKey = `plan-checkout-${request.key}-after-${session.id}`
  }
  throw new BillingError('refused', 'Stripe made a checkout without a page.')
}

/** Ends what a customer could still pay. */
export async function endOpenCheckouts(stripe: Stripe, customerId: string): Promise<void> {
  const sessions = stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 })
  for await (const { id } of sessions) await endCheckout(stripe, id)
}

async function endCheckout(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id)
  } catch (error) {
    const { status } = await stripe.checkout.sessions.retrieve(id)
    // Only an open session can be ended: the owner or another request was faster.
    if (status === 'open') throw error
  }
}

function toSessionParams(request: BillingCheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const metadata = { [OWNER]: request.ownerId }
  return {
    mode: 'subscription',
    customer: request.customerId,
    client_reference_id: request.ownerId,
    metadata,
    // Events about the subscription carry it, and whoever reads the dashboard finds the owner.
    subscription_data: { metadata },
    line_items: [{ price: request.priceId, quantity: 1 }],
    // The pages of the product show this price in this currency.
    adaptive_pricing: { enabled: false },
    // A plan is renewed by itself.
    payment_method_collection: 'always',
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  }
}
