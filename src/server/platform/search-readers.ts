import { toAsciiDomain } from '#contract/international-names.ts'
import type { SearchReaders } from '#core/booking/person-search.ts'
import { findNationalDigits } from './phone-numbers/parse-phone.ts'

/** Reads the phone numbers and domains in a search of an owner. The zone of the calendar says of which country national numbers are. */
export function toSearchReaders(timeZone: string): SearchReaders {
  return { findNationalDigits: (typed) => findNationalDigits(typed, timeZone), toAsciiDomain }
}
