import { type PersonSearch, type SearchReaders, toPersonSearch, trimSearch } from './person-search.ts'

/**
 * What an owner looks for in the list of appointments. An appointment is found by its person, by its reference or by a title that
 * somebody typed. Source: rules V3 and Y11.
 */
export type AppointmentSearch = PersonSearch & {
  /** What the booking reference begins with; null when no reference was typed. */
  readonly referencePrefix: string | null
}

/**
 * Fewer digits would match too much. A reference has the milliseconds since 1970: its first four digits are the same for
 * eleven days, its first three for almost four months. Source: rule V4.
 */
const REFERENCE_DIGITS_MIN = 4

/**
 * Parses what was typed; null when it is nothing. A reference may be typed with its `BK-` or without. Source: rule V3.
 */
export function toAppointmentSearch(typed: string, readers?: SearchReaders): AppointmentSearch | null {
  const person = toPersonSearch(typed, readers)
  return person && { ...person, referencePrefix: referencePrefixOf(trimSearch(typed)) }
}

function referencePrefixOf(text: string): string | null {
  const digits = /^(?:bk\s?-?\s?)?(\d+)$/i.exec(text)?.[1]
  return digits === undefined || digits.length < REFERENCE_DIGITS_MIN ? null : `BK-${digits}`
}
