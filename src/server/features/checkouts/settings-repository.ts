import type { Db } from '#server/platform/db/database.ts'
import type { ProviderName } from '#server/ports/payment-provider.ts'

/** How a calendar is paid, with what opens its accounts. Null when nobody has set anything. */
export async function findPayingAccounts(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('payment_settings')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}

/** The owner has cut the connection at the provider: every calendar that used the account is without it. */
export async function disconnectAccount(
  db: Db,
  provider: ProviderName,
  accountId: string,
  updated_at: Date,
): Promise<void> {
  const settings = db.updateTable('payment_settings')
  const gone =
    provider === 'stripe'
      ? settings
          .set({ stripe_connected: false, stripe_account_id: null, updated_at })
          .where('stripe_account_id', '=', accountId)
      : settings
          .set({ paypal_connected: false, paypal_merchant_id: null, paypal_email: null, updated_at })
          .where('paypal_merchant_id', '=', accountId)
  await gone.execute()
}

/** The price that the owner keeps at Stripe for a type. Null when there is none, or the type is gone. */
export async function findStripePriceId(db: Db, calendarId: string, typeId: string): Promise<string | null> {
  const row = await db
    .selectFrom('appointment_types')
    .select('stripe_price_id')
    .where('calendar_id', '=', calendarId)
    .where('id', '=', typeId)
    .executeTakeFirst()
  return row?.stripe_price_id ?? null
}
