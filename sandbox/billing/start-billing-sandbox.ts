import { randomBytes } from 'node:crypto'
import { startSandboxServer } from '#sandbox/kit/sandbox-server.ts'
import { buildWebhookSender } from '#sandbox/kit/webhook-sender.ts'
import { toEvent } from '#sandbox/stripe/resources.ts'
import { signEvent } from '#sandbox/stripe/signed-event.ts'
import { type Happening, nowS, type StandIn } from '#sandbox/stripe/world.ts'
import type { StripeBillingSettings } from '#server/integrations/stripe/billing/adapter.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { registerPlanApi } from './api.ts'
import { registerPlanCheckout } from './checkout-page.ts'
import { registerPlanDashboard } from './dashboard-page.ts'
import { registerInvoices } from './invoice-page.ts'
import { registerPortal } from './portal-page.ts'
import { SANDBOX_PRICES } from './prices.ts'

export type BillingSandboxOptions = {
  readonly db: Db
  readonly now: Clock
  /** Where the product receives events about plans; null while it does not listen. */
  readonly webhookUrl: () => string | null
}

export type BillingSandbox = {
  /** The adapter talks to it with these instead of to Stripe. */
  readonly settings: StripeBillingSettings & { readonly sandboxUrl: string }
  readonly stop: () => Promise<void>
}

/**
 * Starts a stand-in of Stripe Billing on loopback: its API, the pages to subscribe, the portal, invoices, the operator's dashboard at
 * `/dashboard`, and signed events. It is the operator's own account, which no customer of an owner ever pays to.
 */
export async function startBillingSandbox({
  db,
  now,
  webhookUrl,
}: BillingSandboxOptions): Promise<BillingSandbox> {
  const keys = {
    secretKey: `sk_test_${randomBytes(12).toString('hex')}`,
    webhookSecret: `whsec_${randomBytes(16).toString('hex')}`,
  }
  const sender = buildWebhookSender()
  const tell = (happened: Happening) => {
    const body = JSON.stringify(toEvent(happened, nowS({ now })))
    sender.send(() => {
      const url = webhookUrl()
      return url === null ? null : { url, body, headers: signEvent(body, keys.webhookSecret, now()) }
    })
  }
  const world: StandIn = { db, now, tell, secretKey: keys.secretKey }
  const server = await startSandboxServer((app) => {
    registerPlanApi(app, world)
    registerPlanCheckout(app, world)
    registerPortal(app, world)
    registerInvoices(app, world)
    registerPlanDashboard(app, world)
  })
  return {
    settings: { ...keys, prices: SANDBOX_PRICES, sandboxUrl: server.url, now },
    stop: async () => {
      await sender.stop()
      await server.stop()
    },
  }
}
