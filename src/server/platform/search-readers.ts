import { toAsciiDomain } from '#contract/shared/international-names.ts'
import type { SearchReaders } from '#core/customers/person-search.ts'
import { findNationalDigits } from './phone-numbers/parse-phone.ts'

/**
 * Builds the search parsers for phone numbers and domains. The calendar's time zone determines the country of national
 * numbers.
 */
export function toSearchReaders(timeZone: string): SearchReaders {
  return { findNationalDigits: (typed) => findNationalDigits(typed, timeZone), toAsciiDomain }
}
