import type Stripe from 'stripe'
import { type BillingCheckoutRequest, BillingError } from '#server/ports/billing-provider.ts'
import { OWNER_ID_METADATA_KEY } from './subscription-state.ts'

/** Maximum number of expired, unpaid checkouts per key that are skipped. */
const MOST_ENDED = 10

/**
 * Creates the page on which an owner pays for a plan. Idempotent: the same key returns the same page while the page can
 * still be used, and a new page once it has expired.
 */
export async function createCheckout(
  stripe: Stripe,
  request: BillingCheckoutRequest,
): Promise<{ url: string }> {
  let idempotencyKey = `plan-checkout-${request.key}`
  for (let attempt = 0; attempt < MOST_ENDED; attempt += 1) {
    const { id } = await stripe.checkout.sessions.create(toSessionParams(request), { idempotencyKey })
    // Stripe repeats its first response for a known key, so fetch the session's current state.
    const session = await stripe.checkout.sessions.retrieve(id)
    if (session.status === 'open' && session.url !== null) return { url: session.url }
    if (session.status === 'complete') throw new BillingError('refused', 'This plan was paid a moment ago.')
    idempotencyKey = `plan-checkout-${request.key}-after-${session.id}`
  }
  throw new BillingError('refused', 'Stripe made a checkout without a page.')
}

/** Expires a customer's open checkouts. */
export async function endOpenCheckouts(stripe: Stripe, customerId: string): Promise<void> {
  const sessions = stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 })
  for await (const { id } of sessions) await endCheckout(stripe, id)
}

async function endCheckout(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id)
  } catch (error) {
    const { status } = await stripe.checkout.sessions.retrieve(id)
    // Only open sessions can be expired, so the owner or another request has already completed or expired this one.
    if (status === 'open') throw error
  }
}

function toSessionParams(request: BillingCheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const metadata = { [OWNER_ID_METADATA_KEY]: request.ownerId }
  return {
    mode: 'subscription',
    customer: request.customerId,
    client_reference_id: request.ownerId,
    metadata,
    // The metadata is part of webhooks about the subscription, and shows the operator in Stripe's dashboard who the
    // owner is.
    subscription_data: { metadata },
    line_items: [{ price: request.priceId, quantity: 1 }],
    // Turned off, because the product's pages show the price in this currency.
    adaptive_pricing: { enabled: false },
    // A plan renews automatically, so a payment method is always required.
    payment_method_collection: 'always',
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  }
}
