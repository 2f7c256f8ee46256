import type { FastifyInstance } from 'fastify'
import { buildLazyStripeBilling } from '#server/integrations/stripe/billing/lazy-provider.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import { addressOf } from './address-of.ts'
import type { Config } from './config.ts'
import { startBillingStandIn } from './sandbox.ts'

type Surroundings = {
  readonly db: Db
  readonly now: Clock
  /** The product's own server, once it is listening. */
  readonly app: () => FastifyInstance | null
}

type StartedBilling = {
  /** Null when no plans are for sale. */
  readonly provider: BillingProvider | null
  readonly stop: () => Promise<void>
}

/**
 * Starts the provider that sells the plans, if the operator has configured it. In development without keys, a stand-in
 * replaces it. Source: rule S9.
 */
export async function startBillingProvider(
  { billing, sandbox }: Pick<Config, 'billing' | 'sandbox'>,
  { db, now, app }: Surroundings,
): Promise<StartedBilling> {
  if (billing !== null) {
    return { provider: buildLazyStripeBilling({ ...billing, now }), stop: async () => {} }
  }
  if (!sandbox) return { provider: null, stop: async () => {} }
  const webhookUrl = () => addressOf(app(), '/api/webhooks/stripe-billing')
  const { settings, stop } = await startBillingStandIn({ db, now, webhookUrl })
  return { provider: buildLazyStripeBilling(settings), stop }
}
