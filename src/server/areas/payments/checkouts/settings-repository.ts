import type { Db } from '#server/platform/db/database.ts'

/** How a calendar is paid, with the secrets of its accounts. Null when nobody has set anything. */
export async function findAccountSettings(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('payment_settings')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
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
