import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** An owner's customer record at the billing provider. */
export type BillingCustomer = {
  readonly ownerId: OwnerId
  readonly customerId: string
  /** The email address that the provider has. */
  readonly email: string
  /** How many answers of the provider were stored. */
  readonly syncs: number
}

const COLUMNS = ['user_id', 'provider_customer_id', 'email', 'syncs'] as const

type Row = {
  readonly user_id: string
  readonly provider_customer_id: string
  readonly email: string
  readonly syncs: number
}

function toCustomer(row: Row | undefined): BillingCustomer | null {
  if (row === undefined) return null
  // The cast is safe: the row belongs to this owner.
  const ownerId = row.user_id as OwnerId
  return { ownerId, customerId: row.provider_customer_id, email: row.email, syncs: row.syncs }
}

export async function findCustomerOf(db: Db, ownerId: OwnerId): Promise<BillingCustomer | null> {
  return toCustomer(
    await db
      .selectFrom('billing_customers')
      .select(COLUMNS)
      .where('user_id', '=', ownerId)
      .executeTakeFirst(),
  )
}

export async function findCustomer(db: Db, customerId: string): Promise<BillingCustomer | null> {
  return toCustomer(
    await db
      .selectFrom('billing_customers')
      .select(COLUMNS)
      .where('provider_customer_id', '=', customerId)
      .executeTakeFirst(),
  )
}

/** Stores the customer of an owner, unless another request stored one in the meantime. */
export async function insertCustomer(
  db: Db,
  { ownerId, customerId, email }: Pick<BillingCustomer, 'ownerId' | 'customerId' | 'email'>,
): Promise<void> {
  await db
    .insertInto('billing_customers')
    .values({ user_id: ownerId, provider_customer_id: customerId, email })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the record of a customer that was deleted at the provider. The next purchase creates another one. */
export async function deleteCustomer(trx: Trx, { ownerId, customerId }: BillingCustomer): Promise<void> {
  await trx
    .deleteFrom('billing_customers')
    .where('user_id', '=', ownerId)
    .where('provider_customer_id', '=', customerId)
    .execute()
}

/**
 * Claims the right to store a provider's answer. Returns false when another answer was stored since the request,
 * because this one may then be outdated.
 */
export async function claimSyncAnswer(
  trx: Trx,
  { ownerId, customerId, syncs }: Omit<BillingCustomer, 'email'>,
): Promise<boolean> {
  const result = await trx
    .updateTable('billing_customers')
    .set({ syncs: syncs + 1 })
    .where('user_id', '=', ownerId)
    .where('provider_customer_id', '=', customerId)
    .where('syncs', '=', syncs)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Stores the email address that the provider has now. */
export async function updateCustomerEmail(db: Db, customerId: string, email: string): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ email })
    .where('provider_customer_id', '=', customerId)
    .execute()
}

/** The owners whose address at the provider differs from their account's. */
export async function listChangedEmails(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('billing_customers')
    .innerJoin('profiles', 'profiles.id', 'billing_customers.user_id')
    .whereRef('billing_customers.email', '<>', 'profiles.email')
    .select('billing_customers.user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export type BillingOwner = { readonly id: OwnerId; readonly name: string; readonly email: string }

/**
 * Locks the account of an owner, so that decisions about the plan happen one after the other. Null when it was deleted.
 */
export async function lockOwner(trx: Trx, ownerId: OwnerId): Promise<BillingOwner | null> {
  const row = await trx
    .selectFrom('profiles')
    .select(['full_name', 'email'])
    .where('id', '=', ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? null : { id: ownerId, name: row.full_name, email: row.email }
}

export async function findOwner(db: Db, ownerId: OwnerId): Promise<BillingOwner | null> {
  const row = await db
    .selectFrom('profiles')
    .select(['full_name', 'email'])
    .where('id', '=', ownerId)
    .executeTakeFirst()
  return row === undefined ? null : { id: ownerId, name: row.full_name, email: row.email }
}
