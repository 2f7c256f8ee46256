import { startSandboxServer } from '#sandbox/kit/sandbox-server.ts'
import { buildWebhookSender } from '#sandbox/kit/webhook-sender.ts'
import type { PaypalSettings } from '#server/integrations/paypal/paypal-client.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { registerPaypalApi } from './api.ts'
import { registerCheckoutPages } from './checkout-pages.ts'
import { registerPaypalDashboard } from './dashboard-pages.ts'
import { registerPaypalLogin } from './login.ts'
import { sendToWebhooks } from './webhooks.ts'
import type { PaypalSandboxContext } from './world.ts'

export type PaypalSandboxOptions = {
  readonly db: Db
  readonly now: Clock
  /** Maps a webhook's public URL to Meridian's local one; null while Meridian is not listening. */
  readonly reach: (webhookUrl: string) => string | null
}

export type PaypalSandbox = {
  /** Settings with which the adapter uses the sandbox instead of PayPal. */
  readonly settings: PaypalSettings & { readonly sandboxUrl: string }
  readonly stop: () => Promise<void>
}

/**
 * Starts the PayPal sandbox on a loopback port, for apps of both modes: API, pages to log in and to pay, the owner's account at
 * `/dashboard`, and signed webhooks. Stores its data in the database.
 */
export async function startPaypalSandbox({ db, now, reach }: PaypalSandboxOptions): Promise<PaypalSandbox> {
  const sender = buildWebhookSender()
  const world: PaypalSandboxContext = {
    db,
    now,
    tokens: new Map(),
    sendEvent: (event) => sendToWebhooks({ db, now, sender, reach }, event),
  }
  const server = await startSandboxServer((app) => {
    registerPaypalApi(app, world)
    registerPaypalLogin(app, world)
    registerCheckoutPages(app, world)
    registerPaypalDashboard(app, world)
  })
  return {
    settings: { sandboxUrl: server.url, now },
    stop: async () => {
      await sender.stop()
      await server.stop()
    },
  }
}
