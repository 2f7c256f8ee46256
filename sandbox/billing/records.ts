import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  addSandboxObject,
  findSandboxObject,
  listSandboxObjects,
  type SandboxShelf,
  saveSandboxObject,
} from '#sandbox/kit/sandbox-objects.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { sandboxCard } from './cards.ts'

const metadata = z.record(z.string(), z.string())

const customer = z.object({
  id: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  metadata,
  createdS: z.int(),
  card: sandboxCard.nullable(),
  isDeleted: z.boolean(),
})
export type SandboxCustomer = z.infer<typeof customer>

const subscription = z.object({
  id: z.string(),
  customerId: z.string(),
  metadata,
  priceId: z.string(),
  status: z.enum(['active', 'past_due', 'canceled', 'unpaid']),
  createdS: z.int(),
  periodStartS: z.int(),
  periodEndS: z.int(),
  cancelsAtPeriodEnd: z.boolean(),
  /** When somebody asked for the end; null while nobody has. */
  canceledAtS: z.int().nullable(),
  endedAtS: z.int().nullable(),
  reason: z.enum(['cancellation_requested', 'payment_failed']).nullable(),
  /** What follows at the end of the period; null when the plan stays. */
  nextPriceId: z.string().nullable(),
})
export type SandboxSubscription = z.infer<typeof subscription>

const invoice = z.object({
  id: z.string(),
  customerId: z.string(),
  subscriptionId: z.string(),
  number: z.string(),
  createdS: z.int(),
  /** What is on it, for people. */
  description: z.string(),
  amountCents: z.int(),
  currency: z.string(),
  status: z.enum(['open', 'paid', 'void']),
  reason: z.enum(['subscription_create', 'subscription_cycle', 'subscription_update']),
  periodStartS: z.int(),
  periodEndS: z.int(),
  /** How often a card was asked. */
  attempts: z.int(),
  paidAtS: z.int().nullable(),
  refundedAtS: z.int().nullable(),
})
export type SandboxInvoice = z.infer<typeof invoice>

const checkout = z.object({
  id: z.string(),
  customerId: z.string(),
  clientReferenceId: z.string(),
  metadata,
  subscriptionMetadata: metadata,
  priceId: z.string(),
  createdS: z.int(),
  successUrl: z.string(),
  cancelUrl: z.string(),
  status: z.enum(['open', 'complete', 'expired']),
  subscriptionId: z.string().nullable(),
})
export type SandboxPlanCheckout = z.infer<typeof checkout>

const portalFlow = z.object({
  type: z.enum(['payment_method_update', 'subscription_cancel', 'subscription_update_confirm']),
  subscriptionId: z.string().nullable(),
  priceId: z.string().nullable(),
  /** Where it leads once that is done. */
  doneUrl: z.string(),
})

const portal = z.object({
  id: z.string(),
  customerId: z.string(),
  configurationId: z.string(),
  createdS: z.int(),
  returnUrl: z.string(),
  flow: portalFlow.nullable(),
})
export type SandboxPortal = z.infer<typeof portal>

const configuration = z.object({
  id: z.string(),
  name: z.string(),
  metadata,
  createdS: z.int(),
  features: z.record(z.string(), z.json()),
})
export type SandboxConfiguration = z.infer<typeof configuration>

const shelf = <Kept>(kind: string, schema: z.ZodType<Kept>): SandboxShelf<Kept> => ({
  provider: 'stripe',
  kind,
  schema,
})
export const CUSTOMERS = shelf('plan_customer', customer)
export const SUBSCRIPTIONS = shelf('plan_subscription', subscription)
export const INVOICES = shelf('plan_invoice', invoice)
export const CHECKOUTS = shelf('plan_checkout', checkout)
export const PORTALS = shelf('plan_portal', portal)
export const CONFIGURATIONS = shelf('plan_configuration', configuration)

/** More than anybody makes here; a stand-in has no pages of lists. */
const EVERYTHING = { limit: 10_000 }

type Kept = { readonly id: string }

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

export async function add<Record extends Kept>(
  trx: Db,
  where: SandboxShelf<Record>,
  record: Record,
): Promise<Record> {
  await addSandboxObject(trx, where, record.id, record)
  return record
}

export async function save<Record extends Kept>(
  trx: Trx,
  where: SandboxShelf<Record>,
  record: Record,
): Promise<Record> {
  await saveSandboxObject(trx, where, record.id, record)
  return record
}

/** Null when there is none. In a transaction nobody else changes it until that ends. */
export function find<Record>(
  db: Db,
  where: SandboxShelf<Record>,
  id: string,
  options: { readonly lock?: boolean } = {},
): Promise<Record | null> {
  return findSandboxObject(db, where, id, options)
}

/** All that have these values, the newest first. */
export async function list<Record extends { readonly createdS: number }>(
  db: Db,
  from: SandboxShelf<Record>,
  where: Readonly<{ [name: string]: string }> = {},
): Promise<Record[]> {
  const records = await listSandboxObjects(db, from, { ...EVERYTHING, where })
  // Those of one second stay in the order in which they were made.
  return records.toSorted((a, b) => b.createdS - a.createdS)
}
