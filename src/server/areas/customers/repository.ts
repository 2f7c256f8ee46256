import { type RawBuilder, sql } from 'kysely'
import type { PersonSearch } from '#core/customers/person-search.ts'
import { toPageQuery } from '#core/shared/list-range.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isInCalendars } from '#server/platform/db/in-calendars.ts'
import { matchesPersonSql } from '#server/platform/db/matches-person.ts'
import type { CustomerKey } from '#server/records/appointments/customer-record-repository.ts'

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
    .where(isMatchingCustomer([calendarId], person))
    .orderBy(sql`starts_with(replace(search_letters(name), ' ', ''), ${beginning})`, 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Lists the emails to a customer about all their appointments on a calendar, earliest first. */
export function listMessagesToCustomer(db: Db, key: CustomerKey) {
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

/** Lists a customer's payments for all their appointments on a calendar, earliest first. */
export function listPaymentsOfCustomer(db: Db, key: CustomerKey) {
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

/** Sums a customer's payments and refunds for all their appointments on a calendar, by currency. Source: rule D9. */
export function sumPaymentsOfCustomer(db: Db, key: CustomerKey) {
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

export type CustomerListRow = Awaited<ReturnType<typeof listRows>>[number]

type Query = {
  /** One calendar, or all calendars of an owner. */
  readonly calendarIds: readonly string[]
  /** The search; null to list all customers. */
  readonly person: PersonSearch | null
}

/**
 * Returns one page of the customers who have appointments, by name, and the total number of such customers. Source:
 * rule D10.
 */
export async function findCustomersPage(
  db: Db,
  query: Query & { readonly page: number; readonly size: number },
): Promise<{ total: number; rows: CustomerListRow[] }> {
  const total = await countCustomers(db, query)
  const reading = toPageQuery(total, { number: query.page, size: query.size })
  if (reading.limit === 0) return { total, rows: [] }
  const direction = reading.isFromEnd ? 'desc' : 'asc'
  const page =
    query.calendarIds.length > 1 && query.person === null
      ? db.selectFrom('customers').where(isNextByName(query.calendarIds, { ...reading, direction }))
      : customers(db, query).offset(reading.offset).limit(reading.limit)
  const rows = await listRows(page.orderBy(sql`lower(name)`, direction).orderBy('id', direction))
  return { total, rows: reading.isFromEnd ? rows.reverse() : rows }
}

async function countCustomers(db: Db, query: Query): Promise<number> {
  // Without a search, the index of `appointment_people` has everything; the rows of the customers are not read.
  const counted =
    query.person === null
      ? db
          .selectFrom('appointment_people')
          .where(isInCalendars(sql`calendar_id`, query.calendarIds))
          .select(sql<number>`count(distinct customer_id)::integer`.as('total'))
      : customers(db, query).select(sql<number>`count(*)::integer`.as('total'))
  const { total } = await counted.executeTakeFirstOrThrow()
  return total
}

/**
 * SQL condition that is true for one page of the customers of several calendars. Each calendar is read in the order of its index, and
 * only as far as needed; then the parts are merged. Otherwise PostgreSQL would sort all customers for each page.
 */
function isNextByName(
  calendarIds: readonly string[],
  {
    offset,
    limit,
    direction,
  }: { readonly offset: number; readonly limit: number; readonly direction: string },
): RawBuilder<boolean> {
  const byName = (name: string) => sql.raw(`order by ${name} ${direction}, id ${direction}`)
  return sql<boolean>`(customers.calendar_id, customers.id) in (
    select own_id, part.id from unnest(${calendarIds}::uuid[]) as own (own_id)
    cross join lateral (
      select id, lower(name) as lower_name from customers where calendar_id = own_id and ${HAS_APPOINTMENTS}
      ${byName('lower(name)')} limit ${offset + limit}
    ) as part
    ${byName('lower_name')} limit ${limit} offset ${offset}
  )`
}

/**
 * Finds one customer, with the fields of the list, even if all their appointments are expired holds. Null when there is
 * no such customer.
 */
export async function findListedCustomer(
  db: Db,
  { calendarId, customerId }: { readonly calendarId: string; readonly customerId: string },
) {
  const row = await ofCalendars(db, [calendarId])
    .where('id', '=', customerId)
    .select(LISTED)
    .select(['created_at', 'erased_at', 'notes'])
    .select(
      sql<string>`(select timezone from calendars where calendars.id = customers.calendar_id)`.as(
        'time_zone',
      ),
    )
    .executeTakeFirst()
  return row ?? null
}

function customers(db: Db, { calendarIds, person }: Query) {
  const withAppointments = ofCalendars(db, calendarIds).where(HAS_APPOINTMENTS)
  if (person === null) return withAppointments
  return withAppointments.where(isMatchingCustomer(calendarIds, person))
}

function ofCalendars(db: Db, calendarIds: readonly string[]) {
  return db.selectFrom('customers').where(isInCalendars(sql`customers.calendar_id`, calendarIds))
}

function listRows(ordered: ReturnType<typeof customers>) {
  return ordered.select(LISTED).execute()
}

/** SQL condition that is true when the row of another table belongs to the customer. */
function belongsToCustomer(table: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${table}.calendar_id = customers.calendar_id and ${table}.customer_id = customers.id`
}

const HAS_APPOINTMENTS = sql<boolean>`exists (
  select from appointment_people as people where ${belongsToCustomer(sql`people`)}
)`

const LISTED = [
  'id' as const,
  'calendar_id' as const,
  'client_id' as const,
  'name' as const,
  'email' as const,
  'phone' as const,
  sql<number>`(
    select coalesce(sum(appointments), 0)::integer from appointment_people as people where ${belongsToCustomer(sql`people`)}
  )`.as('appointments'),
  sql<Date | null>`(
    select max(starts_at) from appointments as booked where ${belongsToCustomer(sql`booked`)} and booked.released_at is null
  )`.as('latest_at'),
]

/**
 * SQL condition that is true when a row of `customers` matches the search, by its own fields or by a name or phone
 * number that the customer used for a booking. Source: rule V6.
 */
function isMatchingCustomer(calendarIds: readonly string[], person: PersonSearch): RawBuilder<boolean> {
  // Use two subqueries instead of one `or`, because each of them can use an index.
  const byRecord = sql`
    select id from customers
    where ${isInCalendars(sql`calendar_id`, calendarIds)} and ${matchesPersonSql(sql`person_search_text(name, email, client_id, phone)`, person)}`
  const byBooking = sql`
    select customer_id from appointment_people
    where ${isInCalendars(sql`calendar_id`, calendarIds)} and ${matchesPersonSql(sql`search_text`, person)}`
  return sql<boolean>`customers.id in (${byRecord} union ${byBooking})`
}
