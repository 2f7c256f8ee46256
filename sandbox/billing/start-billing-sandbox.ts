import { randomBytes } from 'node:crypto'
import { startSandboxServer } from '#sandbox/kit/sandbox-server.ts'
import { buildWebhookSender } from '#sandbox/kit/webhook-sender.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import type { BillingSandboxContext } from './customers.ts'
import { registerBillingDashboard } from './dashboard-page.ts'
import { registerPaymentPages } from './payment-pages.ts'
import { registerBillingPortal } from './portal-page.ts'
import { buildSandboxBilling, toWebhookBody, WEBHOOK_SECRET_HEADER } from './provider.ts'

export type BillingSandboxOptions = {
  readonly db: Db
  readonly now: Clock
  /** URL of Meridian's webhook for billing events; null while Meridian is not listening. */
  readonly webhookUrl: () => string | null
}

export type BillingSandbox = {
  readonly provider: BillingProvider
  /** URL of the pages. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * Starts a billing provider for development: checkout, portal, invoices and the operator's dashboard at `/dashboard` of a
 * loopback port, and webhooks.
 */
export async function startBillingSandbox({
  db,
  now,
  webhookUrl,
}: BillingSandboxOptions): Promise<BillingSandbox> {
  const secret = randomBytes(16).toString('hex')
  const sender = buildWebhookSender()
  const sendEvent = (type: string, customerId: string) => {
    const body = toWebhookBody(type, customerId)
    const headers = { 'content-type': 'application/json', [WEBHOOK_SECRET_HEADER]: secret }
    sender.send(() => {
      const url = webhookUrl()
      return url === null ? null : { url, body, headers }
    })
  }
  const world: BillingSandboxContext = { db, now, sendEvent, isDown: false }
  const server = await startSandboxServer((app) => {
    registerPaymentPages(app, world)
    registerBillingPortal(app, world)
    registerBillingDashboard(app, world)
  })
  return {
    provider: buildSandboxBilling(world, { url: server.url, secret }),
    url: server.url,
    stop: async () => {
      await sender.stop()
      await server.stop()
    },
  }
}
