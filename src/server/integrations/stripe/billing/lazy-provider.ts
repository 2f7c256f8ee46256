import type { BillingProvider } from '#server/ports/billing-provider.ts'
import { isFreshlySigned } from '../fresh-signature.ts'
import { isLiveKey } from '../live-key.ts'
import type { StripeBillingSettings } from './adapter.ts'
import { findTierOfPrice } from './plan-prices.ts'

/** Stripe Billing provider whose library is loaded on first use rather than at startup. */
export function buildLazyStripeBilling(settings: StripeBillingSettings): BillingProvider {
  let loading: Promise<BillingProvider> | null = null
  const load = async () => {
    const { buildStripeBilling } = await import('./adapter.ts')
    return buildStripeBilling(settings)
  }
  const stripe = () => {
    loading ??= load()
    return loading
  }
  return {
    isSandbox: () => settings.sandboxUrl !== undefined || !isLiveKey(settings.secretKey),
    tierOf: (priceId) => findTierOfPrice(settings.prices, priceId),
    listPrices: async () => (await stripe()).listPrices(),
    createCustomer: async (request) => (await stripe()).createCustomer(request),
    changeEmail: async (request) => (await stripe()).changeEmail(request),
    listSubscriptions: async (customerId) => (await stripe()).listSubscriptions(customerId),
    listAllSubscriptions: async function* () {
      yield* (await stripe()).listAllSubscriptions()
    },
    createCheckout: async (request) => (await stripe()).createCheckout(request),
    endOpenCheckouts: async (customerId) => (await stripe()).endOpenCheckouts(customerId),
    createPortal: async (request) => (await stripe()).createPortal(request),
    endSubscription: async (request) => (await stripe()).endSubscription(request),
    listInvoices: async (customerId) => (await stripe()).listInvoices(customerId),
    findCard: async (customerId) => (await stripe()).findCard(customerId),
    // Anybody can send an invalid webhook, so do not load the library for one.
    readWebhook: async (request) =>
      isFreshlySigned(settings.now, request) ? (await stripe()).readWebhook(request) : null,
  }
}
