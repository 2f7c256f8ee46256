import type { PaymentProvider } from '#server/ports/payment-provider.ts'
import type { StripeSettings } from './adapter.ts'
import { buildConnectUrl } from './connect-url.ts'
import { isFreshlySigned } from './fresh-signature.ts'
import { isLiveKey } from './live-key.ts'

/**
 * Stripe provider whose library is loaded on first use. It has two hundred modules and would take a tenth of the
 * startup time.
 */
export function buildLazyStripeProvider(settings: StripeSettings): PaymentProvider {
  let loading: Promise<PaymentProvider> | null = null
  const load = async () => {
    const { buildStripeProvider } = await import('./adapter.ts')
    return buildStripeProvider(settings)
  }
  const stripe = () => {
    loading ??= load()
    return loading
  }
  return {
    isSandbox: () => settings.sandboxUrl !== undefined || !isLiveKey(settings.secretKey),
    buildConnectUrl: (request) => buildConnectUrl(settings, request),
    connect: async (request) => (await stripe()).connect(request),
    addWebhook: null,
    disconnect: async (account) => (await stripe()).disconnect(account),
    createCheckout: async (request) => (await stripe()).createCheckout(request),
    findCheckout: async (account, checkoutId) => (await stripe()).findCheckout(account, checkoutId),
    endCheckout: async (account, checkoutId) => (await stripe()).endCheckout(account, checkoutId),
    captureCheckout: async (account, checkoutId, transactionId) =>
      (await stripe()).captureCheckout(account, checkoutId, transactionId),
    refund: async (request) => (await stripe()).refund(request),
    // Stripe signs webhooks with a shared secret, so they are verified without a request to Stripe.
    peekWebhook: null,
    // Anybody can send an invalid webhook, so do not load the library for one.
    readWebhook: async (request) =>
      isFreshlySigned(settings.now, request) ? (await stripe()).readWebhook(request) : null,
  }
}
