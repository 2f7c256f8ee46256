import { z } from 'zod'
import { findSandboxObject, type SandboxCollection, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { type SandboxOrder, sandboxOrderSchema } from './order.ts'

/** An event about an order, to send to the webhooks of its app. */
export type PendingEvent = {
  readonly type: string
  readonly clientId: string
  readonly resource: object
}

/** The app of a token, and the person who logged in; `payer` is null for a token of the app itself. */
export type TokenHolder = { readonly clientId: string; readonly payer: Payer | null }
export type Payer = { readonly payerId: string; readonly email: string }

/** Shared by all parts of the sandbox. */
export type PaypalSandboxContext = {
  readonly db: Db
  readonly now: Clock
  /** Kept in memory only. After a restart the adapter requests new tokens. */
  readonly tokens: Map<string, TokenHolder>
  readonly sendEvent: (event: PendingEvent) => Promise<void>
}

export const ORDER_COLLECTION: SandboxCollection<SandboxOrder> = {
  provider: 'paypal',
  kind: 'order',
  schema: sandboxOrderSchema,
}

/** The order that each PayPal-Request-Id created, per app. */
export const ORDERS_BY_REQUEST_ID = {
  provider: 'paypal',
  kind: 'request',
  schema: z.object({ orderId: z.string() }),
} as const

/** The one-time codes of people who logged in. */
export const LOGIN_CODES = {
  provider: 'paypal',
  kind: 'code',
  schema: z.object({
    clientId: z.string(),
    payerId: z.string(),
    email: z.string(),
    isUsed: z.boolean(),
  }),
} as const

const webhook = z.object({
  id: z.string(),
  clientId: z.string(),
  url: z.string(),
  eventTypes: z.array(z.string()),
  isDeleted: z.boolean(),
})
export type SandboxWebhook = z.infer<typeof webhook>
export const WEBHOOK_COLLECTION: SandboxCollection<SandboxWebhook> = {
  provider: 'paypal',
  kind: 'webhook',
  schema: webhook,
}

/** The order of each capture. */
export const ORDERS_BY_CAPTURE = {
  provider: 'paypal',
  kind: 'capture',
  schema: z.object({ orderId: z.string() }),
} as const

/** A changed order and its events; null for no change. */
export type OrderChange = { readonly order: SandboxOrder; readonly events: readonly PendingEvent[] } | null

/**
 * Locks an order, changes it in a transaction and sends the events after the commit. Returns the order; null when it does not
 * exist.
 */
export async function changeOrder(
  world: PaypalSandboxContext,
  id: string,
  decide: (order: SandboxOrder, trx: Trx) => Promise<OrderChange> | OrderChange,
): Promise<SandboxOrder | null> {
  const { order, events } = await inTransaction(world.db, async (trx) => {
    const before = await findSandboxObject(trx, ORDER_COLLECTION, id, { lock: true })
    const change = before === null ? null : await decide(before, trx)
    if (change === null) return { order: before, events: [] }
    const after = { ...change.order, updatedMs: world.now() }
    await saveSandboxObject(trx, ORDER_COLLECTION, id, after)
    return { order: after, events: change.events }
  })
  for (const event of events) await world.sendEvent(event)
  return order
}
