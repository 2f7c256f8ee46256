import type { Db } from '#server/platform/db/database.ts'

/** Finds the payment settings of a calendar, with the secrets of its accounts; null when none were ever saved. */
export async function findAccountSettings(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('payment_settings')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}

/** The Stripe price id that the owner set for an appointment type; null when there is none or the type was deleted. */
export async function findStripePriceId(db: Db, calendarId: string, typeId: string): Promise<string | null> {
  const row = await db
    .selectFrom('appointment_types')
    .select('stripe_price_id')
    .where('calendar_id', '=', calendarId)
    .where('id', '=', typeId)
    .executeTakeFirst()
  return row?.stripe_price_id ?? null
}
