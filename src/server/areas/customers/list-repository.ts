import { type RawBuilder, sql } from 'kysely'
import type { PersonSearch } from '#core/customers/person-search.ts'
import { planPageQuery } from '#core/shared/list-range.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isMatchingCustomer } from './search-repository.ts'

export type ListedRow = Awaited<ReturnType<typeof listRows>>[number]

type Query = {
  readonly calendarId: string
  /** Null to list all customers. */
  readonly person: PersonSearch | null
}

/** Returns one page of the customers who have appointments, by name, with their total number. Source: rule D10. */
export async function findCustomersPage(
  db: Db,
  query: Query & { readonly page: number; readonly size: number },
): Promise<{ total: number; rows: ListedRow[] }> {
  const { total } = await customers(db, query)
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  const reading = planPageQuery(total, { number: query.page, size: query.size })
  if (reading.limit === 0) return { total, rows: [] }
  const direction = reading.isFromEnd ? 'desc' : 'asc'
  const ordered = customers(db, query)
    .orderBy(sql`lower(name)`, direction)
    .orderBy('id', direction)
    .offset(reading.offset)
    .limit(reading.limit)
  const rows = await listRows(ordered)
  return { total, rows: reading.isFromEnd ? rows.reverse() : rows }
}

/**
 * Finds one customer, with the fields of the list, even if all their appointments are expired holds; null when there is none.
 */
export async function findListedCustomer(
  db: Db,
  { calendarId, customerId }: { readonly calendarId: string; readonly customerId: string },
) {
  const row = await ofCalendar(db, calendarId)
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

function customers(db: Db, { calendarId, person }: Query) {
  const withAppointments = ofCalendar(db, calendarId).where(
    sql<boolean>`exists (select from appointment_people as people where ${isOf(sql`people`)})`,
  )
  if (person === null) return withAppointments
  return withAppointments.where(isMatchingCustomer(calendarId, person))
}

function ofCalendar(db: Db, calendarId: string) {
  return db.selectFrom('customers').where('customers.calendar_id', '=', calendarId)
}

function listRows(ordered: ReturnType<typeof customers>) {
  return ordered.select(LISTED).execute()
}

/** Condition: the row of another table belongs to the customer. */
function isOf(table: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${table}.calendar_id = customers.calendar_id and ${table}.customer_id = customers.id`
}

const LISTED = [
  'id' as const,
  'client_id' as const,
  'name' as const,
  'email' as const,
  'phone' as const,
  sql<number>`(
    select coalesce(sum(appointments), 0)::integer from appointment_people as people where ${isOf(sql`people`)}
  )`.as('appointments'),
  sql<Date | null>`(
    select max(starts_at) from appointments as booked where ${isOf(sql`booked`)} and booked.released_at is null
  )`.as('latest_at'),
]
