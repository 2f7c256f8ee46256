import { type RawBuilder, sql } from 'kysely'
import type { PersonSearch } from '#core/customers/person-search.ts'

/**
 * SQL condition that is true when a search matches a person. `searchText` is the result of `person_search_text`:
 * lower-case text without accents and punctuation, then 0x1E, then the digits of the phone number.
 */
export function matchesPersonSql(
  searchText: RawBuilder<unknown>,
  { words, asciiWords, phoneDigits, nationalDigits }: PersonSearch,
): RawBuilder<boolean> {
  const typed = containsWordsSql(searchText, words)
  const all =
    asciiWords === undefined ? typed : sql<boolean>`(${typed} or ${containsWordsSql(searchText, asciiWords)})`
  if (phoneDigits === null) return all
  const byPhone = [...new Set([phoneDigits, nationalDigits ?? phoneDigits])].map(
    (digits) => sql`${searchText} like ${`%\u001e%${digits}%`}`,
  )
  return sql<boolean>`(${all} or ${sql.join(byPhone, sql` or `)})`
}

/**
 * SQL condition that is true when a text from `search_letters` contains every word, ignoring case, accents and
 * punctuation.
 */
export function containsWordsSql(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  const hasWord = (word: string) => sql`${text} like search_pattern(${word}::text)`
  return sql<boolean>`(${sql.join(words.map(hasWord), sql` and `)})`
}
