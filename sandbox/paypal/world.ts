import { z } from 'zod'
import { findSandboxObject, type SandboxShelf, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { type SandboxOrder, sandboxOrder } from './order.ts'

/** What happened to an order, for the webhooks of its app. */
export type Happening = {
  readonly type: string
  readonly clientId: string
  readonly resource: object
}

/** Whose token it is; `payer` where a person logged in. */
export type TokenHolder = { readonly clientId: string; readonly payer: Payer | null }
export type Payer = { readonly payerId: string; readonly email: string }

/** What all parts of the stand-in share. */
export type SandboxWorld = {
  readonly db: Db
  readonly now: Clock
  /** Tokens end with the process; the adapter asks for others then. */
  readonly tokens: Map<string, TokenHolder>
  readonly tell: (happened: Happening) => Promise<void>
}

export const ORDERS: SandboxShelf<SandboxOrder> = { provider: 'paypal', kind: 'order', schema: sandboxOrder }

/** By app and PayPal-Request-Id, the order that was made for it. */
export const REQUESTS = {
  provider: 'paypal',
  kind: 'request',
  schema: z.object({ orderId: z.string() }),
} as const

/** Who logged in, with the code that stands for that once. */
export const CODES = {
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
export const WEBHOOKS: SandboxShelf<SandboxWebhook> = { provider: 'paypal', kind: 'webhook', schema: webhook }

/** Of one capture, the order that it belongs to. */
export const CAPTURES = {
  provider: 'paypal',
  kind: 'capture',
  schema: z.object({ orderId: z.string() }),
} as const

/** What becomes of an order, and what is told of it; null leaves it as it is. */
export type Change = { readonly order: SandboxOrder; readonly happened: readonly Happening[] } | null

/**
 * Changes an order in one transaction that nobody else is in, and sends the events after the commit. Returns the order
 * as it stands then; null when there is none.
 */
export async function changeOrder(
  world: SandboxWorld,
  id: string,
  decide: (order: SandboxOrder, trx: Trx) => Promise<Change> | Change,
): Promise<SandboxOrder | null> {
  const { order, happened } = await inTransaction(world.db, async (trx) => {
    const before = await findSandboxObject(trx, ORDERS, id, { lock: true })
    const change = before === null ? null : await decide(before, trx)
    if (change === null) return { order: before, happened: [] }
    const after = { ...change.order, updatedMs: world.now() }
    await saveSandboxObject(trx, ORDERS, id, after)
    return { order: after, happened: change.happened }
  })
  for (const happening of happened) await world.tell(happening)
  return order
}
