import { sql } from 'kysely'
import type { PersonSearch } from '#core/customers/person-search.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CustomerKey } from '#server/records/appointments/customer-record-repository.ts'
import { isMatchingCustomer } from './search-repository.ts'

/**
 * Lists the customers of a calendar who match a search, at most `limit`: first those whose name begins with the text, then by
 * name.
 */
export async function listMatchingCustomers(
  db: Db,
  calendarId: string,
  { person, limit }: { readonly person: PersonSearch; readonly limit: number },
) {
  const beginning = sql`search_letters(${person.words.join('')}::text)`
  return db
    .selectFrom('customers')
    .select(['id', 'client_id', 'name', 'email', 'phone'])
    .where('calendar_id', '=', calendarId)
    .where(isMatchingCustomer(calendarId, person))
    .orderBy(sql`starts_with(replace(search_letters(name), ' ', ''), ${beginning})`, 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Lists the emails to a customer about all their appointments on a calendar, earliest first. */
export function listMessagesTo(db: Db, key: CustomerKey) {
  return ofCustomer(db, key)
    .innerJoin('appointment_messages as message', (join) =>
      join
        .onRef('message.calendar_id', '=', 'appointments.calendar_id')
        .onRef('message.appointment_id', '=', 'appointments.id'),
    )
    .select(['message.appointment_id', 'message.kind', 'message.state', 'message.sent_at'])
    .where('message.recipient', '=', 'customer')
    .orderBy('message.created_at')
    .orderBy('message.id')
    .execute()
}

/** Lists the payments of a customer for all their appointments on a calendar, earliest first. */
export function listPaymentsBy(db: Db, key: CustomerKey) {
  return ofCustomer(db, key)
    .innerJoin('payment_transactions as payment', (join) =>
      join
        .onRef('payment.calendar_id', '=', 'appointments.calendar_id')
        .onRef('payment.appointment_id', '=', 'appointments.id'),
    )
    .select([
      'payment.appointment_id',
      'payment.amount_cents',
      'payment.refunded_cents',
      'payment.currency',
      'payment.provider',
      'payment.status',
      'payment.created_at',
    ])
    .orderBy('payment.created_at')
    .orderBy('payment.id')
    .execute()
}

/** Sums the payments and refunds of a customer for all their appointments on a calendar, by currency. Source: rule D9. */
export function sumPaymentsBy(db: Db, key: CustomerKey) {
  return ofCustomer(db, key)
    .innerJoin('payment_transactions as payment', (join) =>
      join
        .onRef('payment.calendar_id', '=', 'appointments.calendar_id')
        .onRef('payment.appointment_id', '=', 'appointments.id'),
    )
    .select(['payment.currency', 'payment.is_sandbox'])
    .select(sql<number>`sum(payment.amount_cents)::double precision`.as('paid_cents'))
    .select(
      sql<number>`sum(
        case when payment.status = 'refunded' then payment.amount_cents else payment.refunded_cents end
      )::double precision`.as('refunded_cents'),
    )
    .where('payment.status', 'in', ['completed', 'manual', 'refund_pending', 'refunded'])
    .groupBy(['payment.currency', 'payment.is_sandbox'])
    .orderBy('payment.currency')
    .orderBy('payment.is_sandbox')
    .execute()
}

function ofCustomer(db: Db, { calendarId, customerId }: CustomerKey) {
  return db
    .selectFrom('appointments')
    .where('appointments.calendar_id', '=', calendarId)
    .where('appointments.customer_id', '=', customerId)
}
