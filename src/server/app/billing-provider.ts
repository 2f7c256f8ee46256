import type { FastifyInstance } from 'fastify'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import type { Config } from './config.ts'

type Surroundings = {
  readonly db: Db
  readonly now: Clock
  /** The product's own server, once it listens. */
  readonly app: () => FastifyInstance | null
}

type StartedBilling = {
  /** Null: nothing is for sale. */
  readonly provider: BillingProvider | null
  readonly stop: () => Promise<void>
}

/** The provider that sells the plans of this installation. */
export async function startBillingProvider(
  _config: Pick<Config, 'billing' | 'sandbox'>,
  _surroundings: Surroundings,
): Promise<StartedBilling> {
  return { provider: null, stop: async () => {} }
}
