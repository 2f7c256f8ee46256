import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  addSandboxObject,
  findSandboxObject,
  listSandboxObjects,
  type SandboxCollection,
  saveSandboxObject,
} from '#sandbox/kit/sandbox-objects.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'

const subscription = z.object({
  id: z.string(),
  priceId: z.string(),
  status: z.enum(['active', 'past_due', 'canceled', 'unpaid']),
  createdMs: z.int(),
  periodStartMs: z.int(),
  periodEndMs: z.int(),
  cancelsAtPeriodEnd: z.boolean(),
  endedAtMs: z.int().nullable(),
  /** True when the subscription ended because payments failed. */
  hasFailedForGood: z.boolean(),
  /** The price from the next period on; null when the price does not change. */
  nextPriceId: z.string().nullable(),
})
export type SandboxSubscription = z.infer<typeof subscription>

const invoice = z.object({
  id: z.string(),
  subscriptionId: z.string(),
  number: z.string(),
  createdMs: z.int(),
  description: z.string(),
  amountCents: z.int(),
  currency: z.string(),
  status: z.enum(['open', 'paid']),
  isRefunded: z.boolean(),
})
export type SandboxInvoice = z.infer<typeof invoice>

const checkout = z.object({
  id: z.string(),
  /** The idempotency key of the request that created the checkout. */
  key: z.string(),
  priceId: z.string(),
  createdMs: z.int(),
  successUrl: z.string(),
  cancelUrl: z.string(),
  status: z.enum(['open', 'paid', 'expired']),
})
export type SandboxCheckout = z.infer<typeof checkout>

const customer = z.object({
  id: z.string(),
  ownerId: z.string(),
  email: z.string(),
  name: z.string(),
  /** Card number; null before the first payment. */
  card: z.string().nullable(),
  isDeleted: z.boolean(),
  /** The customer's subscriptions, newest first, as are the invoices and checkouts. */
  subscriptions: z.array(subscription),
  invoices: z.array(invoice),
  checkouts: z.array(checkout),
})
export type SandboxCustomer = z.infer<typeof customer>

const CUSTOMERS: SandboxCollection<SandboxCustomer> = {
  provider: 'stripe',
  kind: 'billing_customer',
  schema: customer,
}

/** Shared by all parts of the sandbox. */
export type BillingSandboxContext = {
  readonly db: Db
  readonly now: Clock
  /** Sends an event about a customer to Meridian's webhook. */
  readonly sendEvent: (type: string, customerId: string) => void
  /** While true, the provider refuses every call as unavailable. The pages still work. */
  isDown: boolean
}

/** Returns the owner's customer; creates one if the owner has none, or only deleted ones. */
export async function findOrAddCustomer(
  { db }: Pick<BillingSandboxContext, 'db'>,
  owner: Pick<SandboxCustomer, 'ownerId' | 'email' | 'name'>,
): Promise<SandboxCustomer> {
  for (let deleted = 0; ; deleted += 1) {
    const key = createHash('sha256').update(`${owner.ownerId}/${deleted}`).digest('hex').slice(0, 16)
    const fresh: SandboxCustomer = {
      ...owner,
      id: `cus_${key}`,
      card: null,
      isDeleted: false,
      subscriptions: [],
      invoices: [],
      checkouts: [],
    }
    if (await addSandboxObject(db, CUSTOMERS, fresh.id, fresh)) return fresh
    const known = await findCustomer(db, fresh.id)
    if (known !== null && !known.isDeleted) return known
  }
}

/** Finds a customer by its own id, or by the id of its subscription, invoice or checkout. */
export function findCustomer(db: Db, id: string): Promise<SandboxCustomer | null> {
  return findSandboxObject(db, CUSTOMERS, toCustomerId(id))
}

/** Lists all customers, newest first. */
export function listCustomers(db: Db): Promise<SandboxCustomer[]> {
  return listSandboxObjects(db, CUSTOMERS, { limit: 10_000 })
}

/**
 * Changes a customer in a transaction and sends an event after the commit, unless `eventType` is null. `change` returns the
 * same object when nothing changes. Returns null when there is no such customer, or it was deleted.
 */
export async function changeCustomer(
  { db, sendEvent }: Pick<BillingSandboxContext, 'db' | 'sendEvent'>,
  id: string,
  change: (customer: SandboxCustomer) => SandboxCustomer,
  eventType: string | null = 'customer.subscription.updated',
): Promise<SandboxCustomer | null> {
  const { before, after } = await inTransaction(db, async (trx) => {
    const before = await findSandboxObject(trx, CUSTOMERS, toCustomerId(id), { lock: true })
    const after = before === null || before.isDeleted ? null : change(before)
    if (after !== null && after !== before) await saveSandboxObject(trx, CUSTOMERS, after.id, after)
    return { before, after }
  })
  if (eventType !== null && after !== null && after !== before) sendEvent(eventType, after.id)
  return after
}

/** Generates the id of a customer's next subscription, invoice or checkout. */
export function generateNextId(prefix: string, { id }: SandboxCustomer, existing: readonly object[]): string {
  return `${prefix}_${keyIn(id)}_${existing.length + 1}`
}

function toCustomerId(id: string): string {
  return `cus_${keyIn(id)}`
}

/** All ids of a customer contain the same key: `sub_<key>_1`. */
function keyIn(id: string): string {
  return id.split('_')[1] ?? ''
}
