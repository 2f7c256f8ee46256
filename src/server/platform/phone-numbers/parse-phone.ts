import {
  type CountryCode,
  findPhoneNumbersInText,
  getCountries,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { LRUCache } from 'lru-cache'
import { toAsciiSearchWord } from '#contract/shared/international-names.ts'
import type { DialableNumber } from '#contract/shared/phone-number.ts'
import { toCurrentZoneName } from '#contract/shared/zone-names.ts'
import type { SearchParsers } from '#core/customers/person-search.ts'

/** Minimum number of digits of a phone number. The library would also accept `0660` alone. */
const FEWEST_DIGITS = 6

/** Cache of parsed phone fields: parsing one takes 0.1 ms, and an owner's week has hundreds. */
const numbersOf = new LRUCache<string, readonly DialableNumber[]>({ max: 5_000 })

/**
 * Parses the numbers in a phone field, in order: `+44 (0)20 7946 0958 ext. 12` dials `+442079460958;ext=12`. National
 * numbers belong to the country of the time zone; without one only international numbers are found. Source: rule Y15.
 */
export function listDialableNumbers(
  phone: string | null | undefined,
  timeZone: string | null,
): readonly DialableNumber[] {
  if (!phone) return []
  const key = `${timeZone}\n${phone}`
  const known = numbersOf.get(key)
  if (known !== undefined) return known
  // Split at commas first, because the library would read `0670` after a comma as an extension.
  const numbers = phone.split(/[,;|]\s*(?=[0+])/).flatMap((field) => listInField(field, timeZone))
  numbersOf.set(key, numbers)
  return numbers
}

function listInField(field: string, timeZone: string | null): DialableNumber[] {
  const options = optionsFor(timeZone)
  // Replace the full-width plus sign, which the library does not recognise.
  const found = findPhoneNumbersInText(field.replaceAll('＋', '+'), { ...options, extended: true })
  const isClear = found.every(({ startsAt, endsAt }, i) => {
    const before = field.slice(found[i - 1]?.endsAt ?? 0, startsAt)
    return countDigits(field.slice(startsAt, endsAt)) >= FEWEST_DIGITS && !/\d[^\p{L}\d]*$/u.test(before)
  })
  if (isClear) {
    return found.map(({ startsAt, endsAt, number }) => ({
      typed: field.slice(startsAt, endsAt),
      dials: toDialed(number),
    }))
  }
  // Several numbers can be separated only by a space or slash. If one of them is invalid, none is offered for dialling.
  const parts = field.split(/[\s/]+(?=[0+])/)
  const numbers = parts.map((part) => parsePhoneNumberFromString(part, { ...options, extract: false }))
  if (!numbers.every((number) => number?.isValid())) return []
  return numbers.flatMap((number, i) =>
    number === undefined ? [] : [{ typed: parts[i] ?? '', dials: toDialed(number) }],
  )
}

/**
 * Returns the digits shared by the national and international form of a number, without leading zeros; null when the
 * text is not the beginning of a number. Source: rule V5.
 */
export function findNationalDigits(typed: string, timeZone: string): string | null {
  const number = parsePhoneNumberFromString(typed.normalize('NFKC'), {
    ...optionsFor(timeZone),
    extract: false,
  })
  return number?.nationalNumber.replace(/^0+/, '') ?? null
}

/**
 * True when two phone fields contain the same numbers or, if they contain no valid number, the same digits. Source:
 * rule O7.
 */
export function isSamePhone(phone: string | null, other: string | null, timeZone: string): boolean {
  return toComparedPhone(phone, timeZone) === toComparedPhone(other, timeZone)
}

function toComparedPhone(phone: string | null, timeZone: string): string {
  const numbers = listDialableNumbers(phone, timeZone).map(({ dials }) => dials)
  return numbers.length > 0 ? numbers.join() : (phone ?? '').normalize('NFKC').replace(/\D/g, '')
}

function optionsFor(timeZone: string | null) {
  const region = timeZone === null ? undefined : findPhoneRegion(timeZone)
  return region === undefined ? {} : { defaultCountry: region }
}

/** Returns the number's RFC 3966 URI without the scheme. */
function toDialed(number: { getURI: () => string }): string {
  return number.getURI().replace(/^tel:/, '')
}

function countDigits(text: string): number {
  return text.match(/\p{Nd}/gu)?.length ?? 0
}

/**
 * Builds the search parsers for phone numbers and domains. The calendar's time zone determines the country of national
 * numbers.
 */
export function toSearchReaders(timeZone: string): SearchParsers {
  return {
    findNationalDigits: (typed) => findNationalDigits(typed, timeZone),
    toAsciiDomain: toAsciiSearchWord,
  }
}

/** Cache of countries by time zone, from the runtime's Unicode data; filled on first use. */
let regions: ReadonlyMap<string, CountryCode> | undefined

/**
 * Returns the country whose national phone numbers are used in a time zone: `AT` for `Europe/Vienna`. Undefined for
 * zones without a country, such as `UTC`. Source: rule Y15.
 */
export function findPhoneRegion(timeZone: string): CountryCode | undefined {
  regions ??= new Map(
    getCountries().flatMap((country) =>
      listZonesOf(country).flatMap((zone) => [
        [zone, country] as const,
        [toCurrentZoneName(zone), country] as const,
      ]),
    ),
  )
  return regions.get(timeZone)
}

function listZonesOf(country: CountryCode): readonly string[] {
  const locale: LocaleWithZones = new Intl.Locale('und', { region: country })
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

/**
 * A locale with its time zones. Node 20 has them as a property and Node 24 as a method; the ES2024 types have neither.
 */
type LocaleWithZones = Intl.Locale & {
  readonly timeZones?: readonly string[]
  readonly getTimeZones?: () => readonly string[] | undefined
}
