import {
  type PersonSearch,
  type SearchParsers,
  toPersonSearch,
  trimSearch,
} from '#core/customers/person-search.ts'

/** Search of an owner's appointment list by person, booking reference or custom title. Source: rules V3 and Y11. */
export type AppointmentSearch = PersonSearch & {
  /** Prefix of the booking reference; null when none was typed. */
  readonly referencePrefix: string | null
}

/**
 * Minimum digits for a reference search. References contain milliseconds since 1970: the first four digits stay the
 * same for eleven days, the first three for almost four months. Source: rule V4.
 */
const REFERENCE_DIGITS_MIN = 4

/** Parses a search text; null when it is blank. The `BK-` of a reference is optional. Source: rule V3. */
export function toAppointmentSearch(typed: string, readers?: SearchParsers): AppointmentSearch | null {
  const person = toPersonSearch(typed, readers)
  return person && { ...person, referencePrefix: referencePrefixOf(trimSearch(typed)) }
}

function referencePrefixOf(text: string): string | null {
  const digits = /^(?:bk\s?-?\s?)?(\d+)$/i.exec(text)?.[1]
  return digits === undefined || digits.length < REFERENCE_DIGITS_MIN ? null : `BK-${digits}`
}
