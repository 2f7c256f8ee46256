import type Stripe from 'stripe'
import { z } from 'zod'
import { findSandboxObject, type SandboxCollection } from '#sandbox/kit/sandbox-objects.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { expireIfDue, type SandboxPayment, sandboxPaymentSchema } from './payment.ts'

/** An event to send to the platform's webhook. */
export type PendingEvent = {
  readonly type: Stripe.Event.Type
  /** The id of the connected account. */
  readonly accountId: string
  readonly object: object
}

/** Shared by all parts of the sandbox. */
export type StripeSandboxContext = {
  readonly db: Db
  readonly now: Clock
  readonly secretKey: string
  readonly clientId: string
  readonly sendEvent: (event: PendingEvent) => void
}

export const PAYMENT_COLLECTION: SandboxCollection<SandboxPayment> = {
  provider: 'stripe',
  kind: 'payment',
  schema: sandboxPaymentSchema,
}

export const CONNECTED_ACCOUNTS = {
  provider: 'stripe',
  kind: 'account',
  schema: z.object({ id: z.string(), isConnected: z.boolean() }),
} as const

/** The one-time codes of accounts that are being connected. */
export const OAUTH_CODES = {
  provider: 'stripe',
  kind: 'code',
  schema: z.object({ accountId: z.string(), isUsed: z.boolean() }),
} as const

export function nowSeconds(world: Pick<StripeSandboxContext, 'now'>): number {
  return Math.floor(world.now() / 1_000)
}

/** Returns the payment's current state; null when there is no payment. `lock` requires a transaction. */
export async function findPayment(
  world: StripeSandboxContext,
  db: Db | Trx,
  key: string,
  options: { readonly lock?: boolean } = {},
): Promise<SandboxPayment | null> {
  const payment = await findSandboxObject(db, PAYMENT_COLLECTION, key, options)
  return payment === null ? null : expireIfDue(payment, nowSeconds(world))
}

/** Runs `work` in a transaction and sends its events after the commit. */
export async function runAndSendEvents<Result extends { readonly events: readonly PendingEvent[] }>(
  world: StripeSandboxContext,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  const result = await inTransaction(world.db, work)
  for (const event of result.events) world.sendEvent(event)
  return result
}
