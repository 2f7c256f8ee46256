import type Stripe from 'stripe'
import { z } from 'zod'
import { findSandboxObject, type SandboxShelf } from '#sandbox/kit/sandbox-objects.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { atInstant, type SandboxPayment, sandboxPayment } from './payment.ts'

/** What happened, for the platform's webhook. */
export type Happening = {
  readonly type: Stripe.Event.Type
  /** The connected account. */
  readonly accountId: string
  readonly object: object
}

/** What all parts of the stand-in share. */
export type SandboxWorld = {
  readonly db: Db
  readonly now: Clock
  readonly secretKey: string
  readonly clientId: string
  readonly tell: (happened: Happening) => void
}

export const PAYMENTS: SandboxShelf<SandboxPayment> = {
  provider: 'stripe',
  kind: 'payment',
  schema: sandboxPayment,
}

export const ACCOUNTS = {
  provider: 'stripe',
  kind: 'account',
  schema: z.object({ id: z.string(), isConnected: z.boolean() }),
} as const

/** Who allowed it, with the code that stands for that once. */
export const CODES = {
  provider: 'stripe',
  kind: 'code',
  schema: z.object({ accountId: z.string(), isUsed: z.boolean() }),
} as const

export function nowS(world: Pick<SandboxWorld, 'now'>): number {
  return Math.floor(world.now() / 1_000)
}

/** A payment as it stands now; null when there is none. With `lock` inside a transaction. */
export async function findPayment(
  world: SandboxWorld,
  db: Db | Trx,
  key: string,
  options: { readonly lock?: boolean } = {},
): Promise<SandboxPayment | null> {
  const payment = await findSandboxObject(db, PAYMENTS, key, options)
  return payment === null ? null : atInstant(payment, nowS(world))
}

/** Runs `work` in one transaction, and tells what happened once that is kept. */
export async function inWorld<Result extends { readonly happened: readonly Happening[] }>(
  world: SandboxWorld,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  const result = await inTransaction(world.db, work)
  for (const happening of result.happened) world.tell(happening)
  return result
}
