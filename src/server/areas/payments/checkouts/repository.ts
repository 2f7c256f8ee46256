import type { Trx } from '#server/platform/db/transaction.ts'
import { isRefundDueSql } from '#server/records/ledger/ledger-repository.ts'

/** Lists the payments of a calendar that must be refunded or whose provider has not answered, with their customers. */
export async function listMoneyLeft(trx: Trx, calendarId: string) {
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

/** Finds a calendar's name, color and time zone, with its owner. */
export async function findCalendarWithOwner(trx: Trx, calendarId: string) {
  const row = await trx
    .selectFrom('calendars')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .select([
      'calendars.name',
      'calendars.color',
      'calendars.timezone',
      'profiles.full_name',
      'profiles.email',
    ])
    .where('calendars.id', '=', calendarId)
    .executeTakeFirst()
  return row ?? null
}
