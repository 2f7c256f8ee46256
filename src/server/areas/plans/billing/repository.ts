import { sql } from 'kysely'
import { PAYMENT_REMINDER_DAYS } from '#core/plans/payment-reminders.ts'
import type { PlanTier } from '#core/plans/plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { BillingEvent } from '#server/ports/billing-provider.ts'

/** An owner's customer record at the billing provider. */
export type BillingCustomer = {
  readonly ownerId: OwnerId
  readonly customerId: string
  /** The email address stored at the provider. */
  readonly email: string
  /** How many responses of the provider have been stored. */
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

export async function findCustomerOfOwner(db: Db, ownerId: OwnerId): Promise<BillingCustomer | null> {
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

/** Deletes the record of a customer that was deleted at the provider. The next purchase creates another customer. */
export async function deleteCustomer(trx: Trx, { ownerId, customerId }: BillingCustomer): Promise<void> {
  await trx
    .deleteFrom('billing_customers')
    .where('user_id', '=', ownerId)
    .where('provider_customer_id', '=', customerId)
    .execute()
}

/**
 * Claims the right to store a provider's response. Returns false when another response has been stored since the
 * request, because this one may then be outdated.
 */
export async function claimSyncResponse(
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

/** Stores the email address that the provider now has. */
export async function updateCustomerEmail(db: Db, customerId: string, email: string): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ email })
    .where('provider_customer_id', '=', customerId)
    .execute()
}

/** Lists the owners whose email address at the provider differs from their account's. */
export async function listOwnersWithChangedEmail(db: Db): Promise<string[]> {
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
 * Locks the account of an owner, so that decisions about the plan happen one after the other. Returns null when the
 * account was deleted.
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

/** Stores an event of the provider. Returns false when it was already stored. */
export async function insertBillingEvent(trx: Trx, event: BillingEvent, receivedAt: Date): Promise<boolean> {
  const inserted = await trx
    .insertInto('billing_events')
    .values({
      id: event.id,
      type: event.type,
      provider_customer_id: event.customerId,
      received_at: receivedAt,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The checkout that an owner opened most recently. */
export type LastCheckout = {
  readonly priceId: string
  readonly key: string
  /** The checkout's URL; null while it is being created. */
  readonly url: string | null
  readonly at: Date
}

/** Locks the customer of an owner and returns the last checkout. */
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
export async function storeNewCheckout(
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

/** Stores the URL of the checkout, unless another one has been started in the meantime. */
export async function writeCheckoutUrl(db: Db, ownerId: OwnerId, key: string, url: string): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ checkout_url: url })
    .where('user_id', '=', ownerId)
    .where('checkout_key', '=', key)
    .execute()
}

/**
 * Deletes the owner's last checkout, because it failed or was paid. With a key, deletes it only if it has this
 * idempotency key.
 */
export async function deleteCheckout(db: Db, ownerId: OwnerId, key?: string): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ checkout_price_id: null, checkout_key: null, checkout_url: null, checkout_at: null })
    .where('user_id', '=', ownerId)
    .where('checkout_at', 'is not', null)
    .$if(key !== undefined, (query) => query.where('checkout_key', '=', key ?? ''))
    .execute()
}

type Limit = { readonly tier: PlanTier; readonly limit: number | null }

/**
 * Lists the owners whose number of open calendars differs from their plan, whose plan ended within the last month, or
 * whose payment is overdue. The list may contain owners who need nothing, because one statement cannot exclude them
 * all.
 */
export async function listUnsettledOwners(
  db: Db,
  { now, calendarLimit, limits }: { now: Date; calendarLimit: number | null; limits: readonly Limit[] },
): Promise<OwnerId[]> {
  // The values are our own constants, so no escaping is needed.
  const cases = sql.raw(limits.map(({ tier, limit }) => `when '${tier}' then ${limit ?? 'null'}`).join(' '))
  const days = sql.raw(PAYMENT_REMINDER_DAYS.join(', '))
  const { rows } = await sql<{ user_id: string }>`
    with plans as (
      select user_id, case tier ${cases} end as calendar_limit from subscriptions
      where ends_at is null or ends_at > ${now}
    ), counted as (
      select calendars.user_id, count(*) as calendars, count(*) filter (where not is_paused) as open,
        min(plans.user_id::text) is not null as has_plan, min(plans.calendar_limit) as calendar_limit
      from calendars left join plans on plans.user_id = calendars.user_id
      group by calendars.user_id
    ), wanted as (
      select user_id, open, calendars,
        case when has_plan then calendar_limit else ${calendarLimit}::integer end as calendar_limit
      from counted
    )
    select user_id from wanted where open <> least(calendars, coalesce(calendar_limit, calendars))
    union
    select user_id from subscriptions
    where provider_subscription_id is not null and ends_at <= ${now}
      and ends_at > ${now}::timestamptz - interval '30 days'
      and not exists (
        select from plan_notices as told
        where told.user_id = subscriptions.user_id and told.occasion = 'plan_ended'
          and told.created_at >= subscriptions.ends_at
      )
    union
    select user_id from subscriptions, unnest(array[${days}]) as day
    where past_due_since <= ${now}::timestamptz - day * interval '1 day' and (ends_at is null or ends_at > ${now})
      and not exists (
        select from plan_notices as told
        where told.user_id = subscriptions.user_id and told.occasion = 'payment_failed'
          and told.about like subscriptions.provider_subscription_id || ':%:' || day
          and told.created_at >= subscriptions.past_due_since + day * interval '1 day'
      )
    order by user_id`.execute(db)
  // The cast is safe: each id belongs to an owner.
  return rows.map(({ user_id }) => user_id as OwnerId)
}

type PlanOccasion = Schema['plan_notices']['occasion']

/**
 * Records that an owner is being notified about an event. Returns false when they were already notified of it. Source:
 * rule S15.
 */
export async function insertPlanNotice(
  trx: Trx,
  ownerId: OwnerId,
  { occasion, about, at }: { readonly occasion: PlanOccasion; readonly about: string; readonly at: Date },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('plan_notices')
    .values({ user_id: ownerId, occasion, about, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('about')
    .executeTakeFirst()
  return inserted !== undefined
}
