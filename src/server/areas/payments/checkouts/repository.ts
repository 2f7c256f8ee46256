import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { PaymentProviderEvent, PaymentProviderName } from '#server/ports/payment-provider.ts'
import { isRefundDueSql } from '#server/records/ledger/ledger-repository.ts'

/**
 * Lists the payments of a calendar that must be refunded, or about which the provider has not responded, with their
 * customers.
 */
export async function listUnfinishedPayments(trx: Trx, calendarId: string) {
  return trx
    .selectFrom('payment_transactions as payment')
    .leftJoin('appointments', (join) =>
      join
        .onRef('appointments.calendar_id', '=', 'payment.calendar_id')
        .onRef('appointments.id', '=', 'payment.appointment_id'),
    )
    .leftJoin('customers', (join) =>
      join
        .onRef('customers.calendar_id', '=', 'appointments.calendar_id')
        .onRef('customers.id', '=', 'appointments.customer_id'),
    )
    .where('payment.calendar_id', '=', calendarId)
    .where((row) => row.or([isRefundDueSql('payment'), row('payment.ask_again_at', 'is not', null)]))
    .orderBy('payment.created_at')
    .select([
      'payment.status',
      'payment.provider',
      'payment.payment_id',
      'payment.checkout_id',
      'payment.amount_cents',
      'payment.refunded_cents',
      'payment.return_cents',
      'payment.currency',
      'payment.is_sandbox',
      'payment.failure',
      'appointments.customer_name',
      'appointments.booking_reference',
      'appointments.starts_at',
      'appointments.ends_at',
      'customers.email',
    ])
    .execute()
}

/** Finds a calendar's name, colour and time zone, and its owner. */
export async function findCalendarWithOwner(trx: Trx, calendarId: string) {
  const row = await trx
    .selectFrom('calendars')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .select([
      'calendars.name',
      'calendars.color',
      'calendars.timezone',
      'calendars.hour_cycle',
      'profiles.full_name',
      'profiles.email',
    ])
    .where('calendars.id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}

/** True when this provider event is already stored. */
export async function hasStoredProviderEvent(
  db: Db,
  provider: PaymentProviderName,
  eventId: string,
): Promise<boolean> {
  const told = await db
    .selectFrom('payment_events')
    .select('event_id')
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return told !== undefined
}

/** Stores a provider event. Returns false when it was stored before. */
export async function insertProviderEvent(
  trx: Trx,
  provider: PaymentProviderName,
  event: Pick<PaymentProviderEvent, 'id' | 'type'>,
  receivedAt: Date,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('payment_events')
    .values({ provider, event_id: event.id, type: event.type, received_at: receivedAt })
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Finds the payment settings of a calendar, with the secrets of its accounts; null when none were ever saved. */
export async function findPaymentAccountSettings(db: Db, calendarId: string) {
  const row = await db
    .selectFrom('payment_settings')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Finds the Stripe price id that the owner set for an appointment type; null when there is none or the type was
 * deleted.
 */
export async function findStripePriceId(db: Db, calendarId: string, typeId: string): Promise<string | null> {
  const row = await db
    .selectFrom('appointment_types')
    .select('stripe_price_id')
    .where('calendar_id', '=', calendarId)
    .where('id', '=', typeId)
    .executeTakeFirst()
  return row?.stripe_price_id ?? null
}
