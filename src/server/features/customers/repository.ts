import { sql } from 'kysely'
import type { PersonSearch } from '#core/booking/person-search.ts'
import type { Db } from '#server/platform/db/database.ts'
import { escapeLike } from '#server/platform/db/escape-like.ts'
import { isPerson } from '#server/platform/db/is-person.ts'

/** Customers of a calendar who match a search, at most `limit`: names that begin with it first, then by name. */
export async function listMatchingCustomers(
  db: Db,
  calendarId: string,
  { person, limit }: { readonly person: PersonSearch; readonly limit: number },
) {
  const beginning = `${escapeLike(person.words.join(' '))}%`
  return db
    .selectFrom('customers')
    .select(['id', 'client_id', 'name', 'email', 'phone'])
    .where('calendar_id', '=', calendarId)
    .where(isPerson(sql`person_search_text(name, email, client_id, phone)`, person))
    .orderBy(sql`name ilike ${beginning}`, 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .execute()
}
