import { type RawBuilder, sql } from 'kysely'
import type { PersonSearch } from '#core/booking/person-search.ts'
import { escapeLike } from './escape-like.ts'

/**
 * Whether a search matches a person. `searchText` is what the database's `person_search_text` gives: text in lower
 * case, and after 0x1E the digits of the phone number.
 */
export function isPerson(
  searchText: RawBuilder<unknown>,
  { words, phoneDigits }: PersonSearch,
): RawBuilder<boolean> {
  const hasWord = (word: string) =>
    sql`${searchText} like '%' || lower(normalize(${escapeLike(word)}::text)) || '%'`
  const all = sql<boolean>`(${sql.join(words.map(hasWord), sql` and `)})`
  if (phoneDigits === null) return all
  return sql<boolean>`(${all} or ${searchText} like ${`%\u001e%${phoneDigits}%`})`
}
