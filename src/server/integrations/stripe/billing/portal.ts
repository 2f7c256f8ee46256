import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import type { PortalPage } from '#server/ports/billing-provider.ts'
import { isNotFoundError } from './billing-errors.ts'
import { SCHEDULE_EXPANSION, toId, toProviderSubscription } from './subscription-state.ts'

type PortalRequest = {
  readonly customerId: string
  readonly returnUrl: string
  readonly page: PortalPage
}

/** Metadata key under which our portal configuration stores its fingerprint. */
const FINGERPRINT = 'meridian_portal'

/** Opens Stripe's customer portal with our own configuration, independent of the account's default. */
export function buildCustomerPortal(stripe: Stripe, priceIds: readonly string[]) {
  let known: Promise<string> | null = null

  /** Returns the id of our portal configuration, which is found or created once. */
  function getConfiguration(): Promise<string> {
    known ??= findOrCreateConfiguration(stripe, priceIds)
    return known
  }

  async function open({ customerId, returnUrl, page }: PortalRequest): Promise<{ url: string }> {
    const session = {
      customer: customerId,
      return_url: returnUrl,
      configuration: await getConfiguration(),
    }
    const flow = await toFlow(stripe, page, returnUrl)
    if (flow === null) return stripe.billingPortal.sessions.create(session)
    try {
      return await stripe.billingPortal.sessions.create({ ...session, flow_data: flow })
    } catch (error) {
      // The requested change has been made meanwhile and no longer has a page, so open the portal's home page.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || isNotFoundError(error)) throw error
      return stripe.billingPortal.sessions.create(session)
    }
  }

  return async (request: PortalRequest): Promise<{ url: string }> => {
    try {
      const { url } = await open(request)
      return { url }
    } catch (error) {
      // The cached configuration may be the problem: it can be deactivated at Stripe. Look it up again.
      known = null
      throw error
    }
  }
}

async function toFlow(
  stripe: Stripe,
  page: PortalPage,
  returnUrl: string,
): Promise<Stripe.BillingPortal.SessionCreateParams.FlowData | null> {
  const after_completion = { type: 'redirect', redirect: { return_url: returnUrl } } as const
  switch (page.kind) {
    case 'home':
      return null
    case 'card':
      return { type: 'payment_method_update', after_completion }
    case 'cancel': {
      const { id, isSettled } = await readSubscription(stripe, page.subscriptionId)
      if (isSettled) return null
      return { type: 'subscription_cancel', subscription_cancel: { subscription: id }, after_completion }
    }
    case 'change': {
      const { id, items, isSettled } = await readSubscription(stripe, page.subscriptionId)
      if (isSettled || items.data[0]?.price.id === page.priceId) return null
      const item = { id: items.data[0]?.id ?? '', price: page.priceId, quantity: 1 }
      return {
        type: 'subscription_update_confirm',
        subscription_update_confirm: { subscription: id, items: [item] },
        after_completion,
      }
    }
  }
}

/**
 * `isSettled` is true when a cancellation or plan change is already scheduled for the end of the period. A page for
 * another change would add it to the scheduled one, and the owner would pay for both. On the portal's home page the
 * scheduled change can be undone.
 */
async function readSubscription(stripe: Stripe, subscriptionId: string) {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId, { expand: [SCHEDULE_EXPANSION] })
  const { id, items } = subscription
  const { cancelsAt, nextPriceId } = toProviderSubscription(subscription)
  return { id, items, isSettled: cancelsAt !== null || nextPriceId !== null }
}

async function findOrCreateConfiguration(stripe: Stripe, priceIds: readonly string[]): Promise<string> {
  const prices = await Promise.all(priceIds.map((id) => stripe.prices.retrieve(id)))
  const features = toFeatures(prices)
  const fingerprint = createHash('sha256').update(JSON.stringify(features)).digest('hex').slice(0, 32)
  for await (const { id, metadata } of stripe.billingPortal.configurations.list({
    active: true,
    limit: 100,
  })) {
    if (metadata?.[FINGERPRINT] === fingerprint) return id
  }
  const made = await stripe.billingPortal.configurations.create(
    { name: 'Meridian', features, metadata: { [FINGERPRINT]: fingerprint } },
    // If two processes start together, they create one configuration.
    { idempotencyKey: `plan-portal-${fingerprint}` },
  )
  return made.id
}

/**
 * Returns the portal's features. Upgrades apply immediately and the difference is charged; downgrades and cancellations
 * wait for the end of the period.
 */
function toFeatures(
  prices: readonly Stripe.Price[],
): Stripe.BillingPortal.ConfigurationCreateParams.Features {
  const products = new Set(prices.map(({ product }) => toId(product)))
  return {
    // The product manages the email address and passes changes on to Stripe (rule S16).
    customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      products: [...products].map((product) => ({
        product,
        prices: prices.filter((price) => toId(price.product) === product).map(({ id }) => id),
      })),
      proration_behavior: 'always_invoice',
      schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
    },
  }
}
