import type Stripe from 'stripe'
import type { PaidTier } from '#core/plans/decide-plan.ts'
import type { Clock } from '#server/platform/clock.ts'
import {
  type BillingCard,
  BillingError,
  type BillingInvoice,
  type BillingPrice,
  type BillingProvider,
  type ProviderSubscription,
} from '#server/ports/billing-provider.ts'
import { isLiveKey } from '../live-key.ts'
import { buildStripeClient } from '../stripe-client.ts'
import { toBillingError, translateBillingErrors } from './billing-errors.ts'
import { readBillingEvent } from './billing-event.ts'
import { createCheckout, endOpenCheckouts } from './create-checkout.ts'
import { createCustomer } from './create-customer.ts'
import { endSubscription } from './end-subscription.ts'
import { findTierOfPrice, type PlanPrices } from './plan-prices.ts'
import { buildCustomerPortal } from './portal.ts'
import {
  OWNER_ID_METADATA_KEY,
  SCHEDULE_EXPANSION,
  toDate,
  toProviderSubscription,
} from './subscription-state.ts'

export type StripeBillingSettings = {
  /** The secret key of the operator's own account. */
  readonly secretKey: string
  /** The secret of the webhook endpoint for the operator's own account, `whsec_…`. */
  readonly webhookSecret: string
  readonly prices: PlanPrices
  /** Base URL of a stand-in. If absent, Stripe itself is used. */
  readonly sandboxUrl?: string
  readonly timeoutMs?: number
  readonly now: Clock
}

/** Stripe's maximum page size. */
const PAGE_SIZE = 100
const SHOWN_INVOICES = 24

/** Stripe Billing adapter for the operator's own account: subscriptions, hosted checkout and the portal. */
export function buildStripeBilling(settings: StripeBillingSettings): BillingProvider {
  const stripe = buildStripeClient(settings)
  const openPortal = buildCustomerPortal(stripe, Object.values(settings.prices))

  async function listPrices(): Promise<BillingPrice[]> {
    const tiers: readonly PaidTier[] = ['professional', 'business']
    const prices = await Promise.all(
      tiers.map(async (tier) => toBillingPrice(tier, await stripe.prices.retrieve(settings.prices[tier]))),
    )
    return prices.filter((price) => price !== null)
  }

  async function listSubscriptions(customerId: string): Promise<ProviderSubscription[]> {
    const customer = await stripe.customers.retrieve(customerId)
    if (customer.deleted) throw new BillingError('customer_gone', 'This customer was deleted at Stripe.')
    const all = stripe.subscriptions.list({
      customer: customerId,
      status: 'all',
      limit: PAGE_SIZE,
      expand: [`data.${SCHEDULE_EXPANSION}`],
    })
    const found: ProviderSubscription[] = []
    for await (const subscription of all) found.push(toProviderSubscription(subscription))
    return found.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  }

  async function* listAllSubscriptions(): AsyncGenerator<ProviderSubscription> {
    try {
      // Without a status filter, Stripe lists all subscriptions that are not cancelled.
      for await (const subscription of stripe.subscriptions.list({
        limit: PAGE_SIZE,
        expand: [`data.${SCHEDULE_EXPANSION}`],
      })) {
        if (isOurs(subscription) && subscription.ended_at === null) yield toProviderSubscription(subscription)
      }
    } catch (error) {
      throw toBillingError(error)
    }
  }

  /** True for a subscription to one of our plans. The operator may sell other things with the same account. */
  function isOurs({ metadata, items }: Stripe.Subscription): boolean {
    const isOfPlan = items.data.some(({ price }) => findTierOfPrice(settings.prices, price.id) !== null)
    return isOfPlan || metadata[OWNER_ID_METADATA_KEY] !== undefined
  }

  /**
   * Finds the card that pays for a plan. A subscription's own card takes precedence over the customer's. Source:
   * https://docs.stripe.com/api/subscriptions/object#subscription_object-default_payment_method
   */
  async function findCard(customerId: string): Promise<BillingCard | null> {
    const customer = await stripe.customers.retrieve(customerId, {
      expand: ['invoice_settings.default_payment_method'],
    })
    if (customer.deleted) throw new BillingError('customer_gone', 'This customer was deleted at Stripe.')
    const { data: subscriptions } = await stripe.subscriptions.list({
      customer: customerId,
      limit: PAGE_SIZE,
      expand: ['data.default_payment_method'],
    })
    const own = subscriptions.find(
      ({ ended_at, default_payment_method }) => ended_at === null && default_payment_method !== null,
    )
    return toCard(own?.default_payment_method ?? customer.invoice_settings.default_payment_method)
  }

  return {
    isSandbox: () => settings.sandboxUrl !== undefined || !isLiveKey(settings.secretKey),
    listPrices: () => translateBillingErrors(listPrices),
    tierOf: (priceId) => findTierOfPrice(settings.prices, priceId),
    createCustomer: (request) => translateBillingErrors(() => createCustomer(stripe, request)),
    changeEmail: ({ customerId, email }) =>
      translateBillingErrors(async () => {
        await stripe.customers.update(customerId, { email })
      }),
    listSubscriptions: (customerId) => translateBillingErrors(() => listSubscriptions(customerId)),
    listAllSubscriptions,
    createCheckout: (request) => translateBillingErrors(() => createCheckout(stripe, request)),
    endOpenCheckouts: (customerId) => translateBillingErrors(() => endOpenCheckouts(stripe, customerId)),
    createPortal: (request) => translateBillingErrors(() => openPortal(request)),
    endSubscription: (request) => translateBillingErrors(() => endSubscription(stripe, request)),
    listInvoices: (customerId) =>
      translateBillingErrors(async () => {
        const { data } = await stripe.invoices.list({ customer: customerId, limit: SHOWN_INVOICES })
        return data.map(toBillingInvoice)
      }),
    findCard: (customerId) => translateBillingErrors(() => findCard(customerId)),
    readWebhook: (request) => readBillingEvent(settings, request),
  }
}

/**
 * Converts a price; null for an archived one, which can no longer be bought.
 * @throws BillingError for a price that is not monthly
 */
function toBillingPrice(tier: PaidTier, price: Stripe.Price): BillingPrice | null {
  const { id, active, currency, recurring, unit_amount } = price
  const isMonthly = recurring?.interval === 'month' && recurring.interval_count === 1
  if (!isMonthly || unit_amount === null) {
    throw new BillingError(
      'refused',
      `STRIPE_PRICE_${tier.toUpperCase()} (${id}) needs to be a fixed price per month.`,
    )
  }
  return active ? { tier, priceId: id, amountCents: unit_amount, currency } : null
}

const INVOICE_STATUSES: readonly BillingInvoice['status'][] = [
  'draft',
  'open',
  'paid',
  'void',
  'uncollectible',
]

function toBillingInvoice(invoice: Stripe.Invoice): BillingInvoice {
  const { id, number, created, total, currency, status, status_transitions, hosted_invoice_url } = invoice
  return {
    id,
    number,
    issuedAt: toDate(status_transitions.finalized_at ?? created),
    // An upgrade in the middle of a month can leave a credit, which makes the total negative.
    amountCents: Math.max(0, total),
    currency,
    status: INVOICE_STATUSES.find((known) => known === status) ?? 'draft',
    url: hosted_invoice_url ?? null,
  }
}

/**
 * Converts a payment method to a card; null for payment methods without a number and expiry, such as bank accounts or
 * wallets.
 */
function toCard(method: string | Stripe.PaymentMethod | null): BillingCard | null {
  if (method === null || typeof method === 'string' || method.card === undefined) return null
  const { brand, last4, exp_month, exp_year } = method.card
  return { brand, last4, expiryMonth: exp_month, expiryYear: exp_year }
}
