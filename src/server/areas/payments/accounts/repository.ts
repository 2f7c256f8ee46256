import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { PaymentProviderName } from '#server/ports/payment-provider.ts'

export type PaymentSettingsRow = Selectable<Schema['payment_settings']>

/** Finds the payment settings of one of the owner's calendars; null when none were ever saved. */
export async function findPaymentSettings(
  db: Db,
  ownerId: OwnerId,
  calendarId: string,
): Promise<PaymentSettingsRow | null> {
  const row = await db
    .selectFrom('payment_settings')
    .innerJoin('calendars', 'calendars.id', 'payment_settings.calendar_id')
    .selectAll('payment_settings')
    .where('calendars.user_id', '=', ownerId)
    .where('payment_settings.calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}

/** Stores the given fields and keeps the others. The caller has locked the calendar. */
export async function upsertPaymentSettings(
  trx: Trx,
  calendarId: string,
  columns: Updateable<Schema['payment_settings']> & { readonly updated_at: Date },
): Promise<void> {
  await trx
    .insertInto('payment_settings')
    .values({ ...columns, calendar_id: calendarId })
    .onConflict((conflict) => conflict.column('calendar_id').doUpdateSet(columns))
    .execute()
}

/** The fields that disconnecting clears. Source: rule F6. */
const DISCONNECTED = {
  stripe: {
    stripe_connected: false,
    stripe_account_id: null,
    stripe_connected_at: null,
    payment_provider: sql<'paypal' | null>`case when paypal_connected then 'paypal' end`,
  },
  paypal: {
    paypal_connected: false,
    paypal_merchant_id: null,
    paypal_email: null,
    paypal_webhook_id: null,
    payment_provider: sql<'stripe' | null>`case when stripe_connected then 'stripe' end`,
  },
} as const

const ACCOUNT_COLUMNS = { stripe: 'stripe_account_id', paypal: 'paypal_merchant_id' } as const

type ClearedAccount = {
  readonly provider: PaymentProviderName
  readonly accountId: string
  readonly updatedAt: Date
}

/**
 * Removes an account, unless a different account has been connected in the meantime. The caller has locked the
 * calendar.
 */
export async function disconnectAccountFromCalendar(
  trx: Trx,
  calendarId: string,
  account: ClearedAccount,
): Promise<void> {
  await clearing(trx, account).where('calendar_id', '=', calendarId).execute()
}

/**
 * Restores an account that could not be disconnected at the provider, unless a different account has been connected in
 * the meantime.
 */
export async function restorePaymentAccount(
  db: Db,
  before: PaymentSettingsRow,
  { provider, updatedAt }: Omit<ClearedAccount, 'accountId'>,
): Promise<void> {
  const { stripe_connected, stripe_account_id, stripe_connected_at } = before
  const { paypal_connected, paypal_merchant_id, paypal_email, paypal_webhook_id } = before
  const account = {
    stripe: { stripe_connected, stripe_account_id, stripe_connected_at },
    paypal: { paypal_connected, paypal_merchant_id, paypal_email, paypal_webhook_id },
  }[provider]
  await db
    .updateTable('payment_settings')
    .set({ ...account, payment_provider: before.payment_provider, updated_at: updatedAt })
    .where('calendar_id', '=', before.calendar_id)
    .where(ACCOUNT_COLUMNS[provider], 'is', null)
    .execute()
}

/**
 * Removes an account from every calendar, because it was disconnected at the provider at `cutAt`. Connections made after that
 * time stay. Source: rule P18.
 */
export async function disconnectAccountFromAllCalendars(
  db: Db,
  account: ClearedAccount,
  cutAt: Date,
): Promise<void> {
  await clearing(db, account)
    .where((row) => row.or([row('stripe_connected_at', 'is', null), row('stripe_connected_at', '<=', cutAt)]))
    .execute()
}

function clearing(db: Db, { provider, accountId, updatedAt }: ClearedAccount) {
  return db
    .updateTable('payment_settings')
    .set({ ...DISCONNECTED[provider], updated_at: updatedAt })
    .where(ACCOUNT_COLUMNS[provider], '=', accountId)
}

/** True when another calendar uses the same Stripe account. Source: rule F8. */
export async function isStripeAccountUsedElsewhere(
  db: Db,
  account: { readonly calendarId: string; readonly accountId: string },
): Promise<boolean> {
  const other = await db
    .selectFrom('payment_settings')
    .select('calendar_id')
    .where('stripe_account_id', '=', account.accountId)
    .where('calendar_id', '<>', account.calendarId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Maximum number of accounts of other calendars that an owner is offered, per provider. */
const REUSABLE_ACCOUNTS = 20

/**
 * Lists the connected accounts of the owner's other calendars at one provider, by the name of the calendar. Each account
 * is listed once.
 */
export async function listAccountsOfOthers(
  db: Db,
  ownerId: OwnerId,
  { calendarId, provider }: { readonly calendarId: string; readonly provider: PaymentProviderName },
): Promise<{ calendar_id: string; calendar_name: string; account: string }[]> {
  const column = ACCOUNT_COLUMNS[provider]
  const { rows } = await sql<{ calendar_id: string; calendar_name: string; account: string }>`
    select calendar_id, calendar_name, account from (
      select distinct on (${sql.ref(column)})
        calendar_id, calendars.name as calendar_name,
        ${provider === 'paypal' ? sql`coalesce(paypal_email, paypal_merchant_id)` : sql`stripe_account_id`} as account
      from payment_settings join calendars on calendars.id = payment_settings.calendar_id
      where calendars.user_id = ${ownerId} and calendar_id <> ${calendarId}
        and ${sql.ref(`${provider}_connected`)}
        ${provider === 'paypal' ? sql`and paypal_client_secret_encrypted is not null` : sql``}
      order by ${sql.ref(column)}, lower(calendars.name), calendar_id
    ) as accounts
    order by lower(calendar_name), calendar_id limit ${REUSABLE_ACCOUNTS}`.execute(db)
  return rows
}

/** Stores a one-time OAuth state for an owner who is about to connect an account at a provider. */
export async function insertConnectState(
  db: Db,
  connection: Insertable<Schema['payment_connections']>,
): Promise<void> {
  await db.insertInto('payment_connections').values(connection).execute()
}

/**
 * Consumes a one-time OAuth state for the session that started it. Returns its calendar; null when the state is unknown,
 * expired, or belongs to another session.
 */
export async function consumeConnectState(
  db: Db,
  way: {
    readonly stateHash: string
    readonly sessionId: string
    readonly provider: PaymentProviderName
    readonly now: Date
  },
): Promise<string | null> {
  const taken = await db
    .deleteFrom('payment_connections')
    .where('state_hash', '=', way.stateHash)
    .where('session_id', '=', way.sessionId)
    .where('provider', '=', way.provider)
    .where('expires_at', '>', way.now)
    .returning('calendar_id')
    .executeTakeFirst()
  return taken?.calendar_id ?? null
}
