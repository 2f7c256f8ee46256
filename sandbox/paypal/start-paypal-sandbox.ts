import { startSandboxServer } from '#sandbox/kit/sandbox-server.ts'
import { buildWebhookSender } from '#sandbox/kit/webhook-sender.ts'
import type { PaypalSettings } from '#server/integrations/paypal/paypal-client.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { registerApi } from './api.ts'
import { registerCheckoutPages } from './checkout-pages.ts'
import { registerDashboard } from './dashboard-pages.ts'
import { registerLogin } from './login.ts'
import { tellWebhooks } from './webhooks.ts'
import type { SandboxWorld } from './world.ts'

export type PaypalSandboxOptions = {
  readonly db: Db
  readonly now: Clock
  /** Where the product can be reached instead of at the public address of a webhook; null while it does not listen. */
  readonly reach: (webhookUrl: string) => string | null
}

export type PaypalSandbox = {
  /** The adapter talks to it with these instead of to PayPal. */
  readonly settings: PaypalSettings & { readonly sandboxUrl: string }
  readonly stop: () => Promise<void>
}

/**
 * Starts a stand-in of PayPal on loopback, for the apps of both modes: its API, the pages to log in and to pay, the owner's
 * account at `/dashboard`, and signed events. What it knows is in the database.
 */
export async function startPaypalSandbox({ db, now, reach }: PaypalSandboxOptions): Promise<PaypalSandbox> {
  const sender = buildWebhookSender()
  const world: SandboxWorld = {
    db,
    now,
    tokens: new Map(),
    tell: (happened) => tellWebhooks({ db, now, sender, reach }, happened),
  }
  const server = await startSandboxServer((app) => {
    registerApi(app, world)
    registerLogin(app, world)
    registerCheckoutPages(app, world)
    registerDashboard(app, world)
  })
  return {
    settings: { sandboxUrl: server.url, now },
    stop: async () => {
      await sender.stop()
      await server.stop()
    },
  }
}
