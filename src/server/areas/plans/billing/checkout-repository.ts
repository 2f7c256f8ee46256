import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** The checkout that an owner opened last. */
export type LastCheckout = {
  readonly priceId: string
  readonly key: string
  /** Null while it is being created. */
  readonly url: string | null
  readonly at: Date
}

/** Locks the customer of an owner and reads the last checkout. */
export async function lockLastCheckout(trx: Trx, ownerId: OwnerId): Promise<LastCheckout | null> {
  const row = await trx
    .selectFrom('billing_customers')
    .select(['checkout_price_id', 'checkout_key', 'checkout_url', 'checkout_at'])
    .where('user_id', '=', ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined || row.checkout_at === null) return null
  if (row.checkout_price_id === null || row.checkout_key === null) return null
  return { priceId: row.checkout_price_id, key: row.checkout_key, url: row.checkout_url, at: row.checkout_at }
}

/** Stores that a checkout is being created, replacing the previous one. */
export async function beginCheckout(
  trx: Trx,
  ownerId: OwnerId,
  { priceId, key, at }: Omit<LastCheckout, 'url'>,
): Promise<void> {
  await trx
    .updateTable('billing_customers')
    .set({ checkout_price_id: priceId, checkout_key: key, checkout_url: null, checkout_at: at })
    .where('user_id', '=', ownerId)
    .execute()
}

/** Stores the URL of the checkout, unless another one was started in the meantime. */
export async function writeCheckoutUrl(db: Db, ownerId: OwnerId, key: string, url: string): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ checkout_url: url })
    .where('user_id', '=', ownerId)
    .where('checkout_key', '=', key)
    .execute()
}

/** Deletes a checkout that failed or was paid; without a key, any checkout. */
export async function deleteCheckout(db: Db, ownerId: OwnerId, key?: string): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ checkout_price_id: null, checkout_key: null, checkout_url: null, checkout_at: null })
    .where('user_id', '=', ownerId)
    .where('checkout_at', 'is not', null)
    .$if(key !== undefined, (query) => query.where('checkout_key', '=', key ?? ''))
    .execute()
}
