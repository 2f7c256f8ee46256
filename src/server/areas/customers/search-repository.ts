import { type RawBuilder, sql } from 'kysely'
import type { PersonSearch } from '#core/customers/person-search.ts'
import { matchesPerson } from '#server/platform/db/matches-person.ts'

/**
 * Condition: a row of `customers` matches the search, by its own fields or by a name or phone number that the customer used for
 * a booking. Source: rule V6.
 */
export function isMatchingCustomer(calendarId: string, person: PersonSearch): RawBuilder<boolean> {
  // Two subqueries instead of one `or`, because each can use an index.
  const byRecord = sql`
    select id from customers
    where calendar_id = ${calendarId} and ${matchesPerson(sql`person_search_text(name, email, client_id, phone)`, person)}`
  const byBooking = sql`
    select customer_id from appointment_people
    where calendar_id = ${calendarId} and ${matchesPerson(sql`search_text`, person)}`
  return sql<boolean>`customers.id in (${byRecord} union ${byBooking})`
}
