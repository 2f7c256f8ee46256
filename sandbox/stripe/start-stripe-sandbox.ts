import { randomBytes } from 'node:crypto'
import { startSandboxServer } from '#sandbox/kit/sandbox-server.ts'
import { buildWebhookSender } from '#sandbox/kit/webhook-sender.ts'
import type { StripeSettings } from '#server/integrations/stripe/adapter.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { registerStripeApi } from './api.ts'
import { registerCheckoutPages } from './checkout-pages.ts'
import { registerConnectPages } from './connect-pages.ts'
import { registerStripeDashboard } from './dashboard-pages.ts'
import { toEventResource } from './resources.ts'
import { signEvent } from './signed-event.ts'
import type { PendingEvent, StripeSandboxContext } from './world.ts'

export type StripeSandboxOptions = {
  readonly db: Db
  readonly now: Clock
  /** URL of Meridian's webhook for Stripe; null while Meridian is not listening. */
  readonly webhookUrl: () => string | null
}

export type StripeSandbox = {
  /** Settings with which the adapter uses the sandbox instead of Stripe. */
  readonly settings: StripeSettings & { readonly sandboxUrl: string }
  readonly stop: () => Promise<void>
}

/**
 * Starts the Stripe sandbox on a loopback port: API, pages to connect and to pay, the owner's dashboard at `/dashboard`, and
 * signed webhooks. Stores its data in the database.
 */
export async function startStripeSandbox({
  db,
  now,
  webhookUrl,
}: StripeSandboxOptions): Promise<StripeSandbox> {
  const keys = {
    secretKey: `sk_test_${randomBytes(12).toString('hex')}`,
    clientId: 'ca_sandbox',
    webhookSecret: `whsec_${randomBytes(16).toString('hex')}`,
  }
  const sender = buildWebhookSender()
  const sendEvent = (event: PendingEvent) => {
    const body = JSON.stringify(toEventResource(event, Math.floor(now() / 1_000)))
    sender.send(() => {
      const url = webhookUrl()
      return url === null ? null : { url, body, headers: signEvent(body, keys.webhookSecret, now()) }
    })
  }
  const world: StripeSandboxContext = { db, now, sendEvent, ...keys }
  const server = await startSandboxServer((app) => {
    registerStripeApi(app, world)
    registerConnectPages(app, world)
    registerCheckoutPages(app, world)
    registerStripeDashboard(app, world)
  })
  return {
    settings: { ...keys, sandboxUrl: server.url, now },
    stop: async () => {
      await sender.stop()
      await server.stop()
    },
  }
}
