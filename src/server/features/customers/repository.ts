import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/**
 * Customers of a calendar whose name, e-mail or phone number contains the text, at most `limit`: names that begin with it
 * first, then by name. A phone number is found by its digits, however it is written.
 */
export async function listMatchingCustomers(
  db: Db,
  calendarId: string,
  search: { readonly text: string; readonly limit: number },
) {
  const inside = `%${escapeLike(search.text)}%`
  const digits = search.text.replace(/[^0-9]/g, '')
  return db
    .selectFrom('customers')
    .select(['id', 'client_id', 'name', 'email', 'phone'])
    .where('calendar_id', '=', calendarId)
    .where((eb) =>
      eb.or([
        eb('name', 'ilike', inside),
        eb('email', 'ilike', inside),
        ...(isPhoneLike(search.text)
          ? [eb(sql<string>`regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g')`, 'like', `%${digits}%`)]
          : []),
      ]),
    )
    .orderBy(sql`name ilike ${`${escapeLike(search.text)}%`}`, 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(search.limit)
    .execute()
}

/** At least three digits and nothing but what people write numbers with. */
function isPhoneLike(text: string): boolean {
  return /^[-+()./\s\d]*$/.test(text) && text.replace(/[^0-9]/g, '').length >= 3
}

/** What LIKE would read as a pattern stands for itself. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
