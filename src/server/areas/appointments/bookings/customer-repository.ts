import { sql } from 'kysely'
import type { Trx } from '#server/platform/db/transaction.ts'

/**
 * Lists the customers without an email address who have this name, oldest first. Ignores accents, case, spaces and punctuation.
 */
export function listCustomersWithoutEmail(
  trx: Trx,
  { calendarId, name }: { readonly calendarId: string; readonly name: string },
) {
  const letters = (text: ReturnType<typeof sql>) =>
    sql`regexp_replace(search_letters(${text}), '[[:space:][:punct:]]', '', 'g')`
  return trx
    .selectFrom('customers')
    .select(['id', 'name', 'phone'])
    .where('calendar_id', '=', calendarId)
    .where('email', 'is', null)
    .where(sql<boolean>`${letters(sql`name`)} = ${letters(sql`${name}::text`)}`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
