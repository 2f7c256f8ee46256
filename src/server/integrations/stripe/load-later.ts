import type { PaymentProvider } from '#server/ports/payment-provider.ts'
import type { StripeSettings } from './adapter.ts'
import { buildConnectUrl } from './connect-url.ts'

/**
 * Stripe, with its library of two hundred modules loaded when it is first asked something and not when the product starts,
 * which would be a tenth of a start.
 */
export function buildLaterStripeProvider(settings: StripeSettings): PaymentProvider {
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
    isStandIn: settings.sandboxUrl !== undefined,
    buildConnectUrl: (request) => buildConnectUrl(settings, request),
    connect: async (request) => (await stripe()).connect(request),
    disconnect: async (payee) => (await stripe()).disconnect(payee),
    createCheckout: async (request) => (await stripe()).createCheckout(request),
    findCheckout: async (payee, checkoutId) => (await stripe()).findCheckout(payee, checkoutId),
    endCheckout: async (payee, checkoutId) => (await stripe()).endCheckout(payee, checkoutId),
    captureCheckout: async (payee, checkoutId, transactionId) =>
      (await stripe()).captureCheckout(payee, checkoutId, transactionId),
    refund: async (request) => (await stripe()).refund(request),
    readWebhook: async (request) => (await stripe()).readWebhook(request),
  }
}
