import { type RawBuilder, sql } from 'kysely'
import type { PersonSearch } from '#core/booking/person-search.ts'

/**
 * Whether a search matches a person. `searchText` is what the database's `person_search_text` gives: text in lower
 * case without accents and punctuation, and after 0x1E the digits of the phone number.
 */
export function matchesPerson(
  searchText: RawBuilder<unknown>,
  { words, asciiWords, phoneDigits, nationalDigits }: PersonSearch,
): RawBuilder<boolean> {
  const typed = containsWords(searchText, words)
  const all =
    asciiWords === undefined ? typed : sql<boolean>`(${typed} or ${containsWords(searchText, asciiWords)})`
  if (phoneDigits === null) return all
  const byPhone = [...new Set([phoneDigits, nationalDigits ?? phoneDigits])].map(
    (digits) => sql`${searchText} like ${`%\u001e%${digits}%`}`,
  )
  return sql<boolean>`(${all} or ${sql.join(byPhone, sql` or `)})`
}

/** Whether a text that the database's `search_letters` gives contains every word, whatever their case, accents and punctuation. */
export function containsWords(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  const hasWord = (word: string) => sql`${text} like search_pattern(${word}::text)`
  return sql<boolean>`(${sql.join(words.map(hasWord), sql` and `)})`
}
