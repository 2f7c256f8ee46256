import { type RawBuilder, sql } from 'kysely'
import type { PersonSearch } from '#core/booking/person-search.ts'
import { escapeLike } from './escape-like.ts'

/**
 * Whether a search matches a person. `searchText` is what the database's `person_search_text` gives: text in lower
 * case without accents, and after 0x1E the digits of the phone number.
 */
export function isPerson(
  searchText: RawBuilder<unknown>,
  { words, phoneDigits }: PersonSearch,
): RawBuilder<boolean> {
  const all = textHasWords(searchText, words)
  if (phoneDigits === null) return all
  return sql<boolean>`(${all} or ${searchText} like ${`%\u001e%${phoneDigits}%`})`
}

/** Whether a text that the database's `search_letters` gives contains every word, whatever their case and accents. */
export function textHasWords(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  const hasWord = (word: string) => sql`${text} like '%' || search_letters(${escapeLike(word)}::text) || '%'`
  return sql<boolean>`(${sql.join(words.map(hasWord), sql` and `)})`
}
