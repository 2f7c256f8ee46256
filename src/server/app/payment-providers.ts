import type { FastifyInstance } from 'fastify'
import { buildPaypalProvider } from '#server/integrations/paypal/adapter.ts'
import { buildLazyStripeProvider } from '#server/integrations/stripe/lazy-provider.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PaymentProvider, PaymentProviders } from '#server/ports/payment-provider.ts'
import { addressOf } from './address-of.ts'
import type { Config } from './config.ts'
import { startPaypalStandIn, startStripeStandIn } from './sandbox.ts'

type Surroundings = {
  readonly db: Db
  readonly now: Clock
  /** The product's own server, once it is listening. */
  readonly app: () => FastifyInstance | null
}

type Started<Thing> = Thing & { readonly stop: () => Promise<void> }

/**
 * Starts the payment providers that have keys, and PayPal, whose keys each owner enters. In development, stand-ins
 * replace providers without keys.
 */
export async function startPaymentProviders(
  config: Config,
  surroundings: Surroundings,
): Promise<Started<{ readonly providers: PaymentProviders }>> {
  const stripe = await startStripe(config, surroundings)
  const paypal = await startPaypal(config, surroundings)
  return {
    providers: { paypal: paypal.provider, ...(stripe === null ? {} : { stripe: stripe.provider }) },
    stop: async () => {
      await stripe?.stop()
      await paypal.stop()
    },
  }
}

async function startStripe(
  config: Config,
  { db, now, app }: Surroundings,
): Promise<Started<{ readonly provider: PaymentProvider }> | null> {
  if (config.stripe !== null) {
    return { provider: buildLazyStripeProvider({ ...config.stripe, now }), stop: async () => {} }
  }
  if (!config.sandbox) return null
  const webhookUrl = () => addressOf(app(), '/api/webhooks/stripe')
  const { settings, stop } = await startStripeStandIn({ db, now, webhookUrl })
  return { provider: buildLazyStripeProvider(settings), stop }
}

async function startPaypal(
  config: Config,
  { db, now, app }: Surroundings,
): Promise<Started<{ readonly provider: PaymentProvider }>> {
  if (!config.sandbox) return { provider: buildPaypalProvider({ now }), stop: async () => {} }
  const reach = (webhookUrl: string) => addressOf(app(), new URL(webhookUrl).pathname)
  const { settings, stop } = await startPaypalStandIn({ db, now, reach })
  return { provider: buildPaypalProvider(settings), stop }
}
