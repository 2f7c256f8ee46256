import type { FastifyInstance } from 'fastify'
import { buildStripeProvider } from '#server/integrations/stripe/adapter.ts'
import { startStripeSandbox } from '#server/integrations/stripe/sandbox.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PaymentProvider, PaymentProviders } from '#server/ports/payment-provider.ts'
import type { Config } from './config.ts'

type Surroundings = {
  readonly db: Db
  readonly now: Clock
  /** The product's own server, once there is one. */
  readonly app: () => FastifyInstance | null
}

type Started<Thing> = Thing & { readonly stop: () => Promise<void> }

/** The providers that keys were given for; on a developer's machine stand-ins of the others. */
export async function startPaymentProviders(
  config: Config,
  surroundings: Surroundings,
): Promise<Started<{ readonly providers: PaymentProviders }>> {
  const stripe = await startStripe(config, surroundings)
  return stripe === null
    ? { providers: {}, stop: async () => {} }
    : { providers: { stripe: stripe.provider }, stop: stripe.stop }
}

async function startStripe(
  config: Config,
  { db, now, app }: Surroundings,
): Promise<Started<{ readonly provider: PaymentProvider }> | null> {
  if (config.stripe !== null) {
    return { provider: buildStripeProvider({ ...config.stripe, now }), stop: async () => {} }
  }
  if (!config.sandbox) return null
  const webhookUrl = () => addressOf(app(), '/api/webhooks/stripe')
  const { settings, stop } = await startStripeSandbox({ db, now, webhookUrl })
  return { provider: buildStripeProvider(settings), stop }
}

/** Where this process itself listens: its port may be any free one. Null while it does not. */
function addressOf(app: FastifyInstance | null, path: string): string | null {
  const address = app?.server.address()
  return typeof address === 'object' && address !== null ? `http://localhost:${address.port}${path}` : null
}
