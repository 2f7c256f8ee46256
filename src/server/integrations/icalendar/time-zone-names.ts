import { HOUR_MS } from '#core/shared/duration.ts'
import { isTimeZone, utcOffsetMsAt } from '#core/shared/zoned-time.ts'
import { buildFixedZone, buildUncertainZone, type EventZone, toEventZone } from './event-zones.ts'
import { readOffset } from './time-values.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'
import { ZONE_ALIASES } from './zone-aliases.ts'

const WINDOWS_NAMES = new Map(
  Object.entries(WINDOWS_ZONES).map(([windows, iana]) => [windows.toLowerCase(), iana]),
)

/** Matches a name that is only an offset: `GMT+0200`, `UTC-3`, `+05:30`. */
const OFFSET_NAME = /^(?:UTC|GMT)?\s*(?<sign>[+-])(?<hours>\d{1,2})[:.]?(?<minutes>\d\d)?$/i
/** Matches a name with an offset: `(UTC+01:00) Amsterdam, Berlin`, `GMT -05.00 - Eastern Time`. */
const NAME_WITH_OFFSET =
  /^\(?\s*(?:UTC|GMT)\s*(?<offset>[+-]\s*\d{1,2}(?:[:.]?\d\d)?)?\s*(?<closed>\))?\s*[-:]?\s*(?<rest>.*)$/i
/** An instant in winter and one in summer. A zone matches a stated offset if it has that offset at one of them. */
const SEASONS_MS = [Date.UTC(2027, 0, 15), Date.UTC(2027, 6, 15)]
/** Maximum length of a zone name, in characters. Longer texts are not zone names. */
const LONGEST_NAME = 300

/**
 * Resolves the name of a time zone that the file does not define to an IANA name; null when it does not identify a zone
 * exactly. Source: rules G4 and G30.
 */
export function findIanaNameOfZone(name: string): string | null {
  const text = normalizeName(name)
  if (text === '') return null
  const exact = findExactZone(text)
  if (exact !== null) return exact
  return toOffsetName(text) ?? findPlace(text, null)?.name ?? null
}

/**
 * Resolves an IANA name with a slash, also at the end of a path (`/mozilla.org/20070129_1/Europe/Berlin`), which needs
 * no definition in the file.
 */
export function findIanaName(name: string): string | null {
  const text = normalizeName(name)
  if (!text.includes('/')) return null
  return findIana(text) ?? findAtEndOfPath(text)
}

/**
 * Resolves a name to a zone; a name that states only an offset yields every possible zone. Returns null when the name
 * identifies nothing.
 */
export function findZoneByName(name: string): EventZone | null {
  const text = normalizeName(name)
  if (text === '') return null
  const exact = findExactZone(text)
  if (exact !== null) return toEventZone(exact)
  const fixed = readOffset(toOffsetName(text) ?? '')
  if (fixed !== null) return buildFixedZone(fixed)
  const { offset, closed, rest = '' } = NAME_WITH_OFFSET.exec(text)?.groups ?? {}
  if (offset === undefined && closed === undefined) return toNamed(findPlace(text, null))
  const statedMs = offset === undefined ? 0 : readStatedOffset(offset)
  return statedMs === null ? toNamed(findPlace(rest, null)) : findZoneByOffset(rest, statedMs)
}

/**
 * Returns the zone for a name that states an offset. If the named place has a different offset or is unknown, both are
 * possible.
 */
function findZoneByOffset(rest: string, statedMs: number): EventZone {
  const place = findPlace(rest, statedMs)
  if (place?.hasOffset) return toEventZone(place.name)
  const others = place === null ? [] : SEASONS_MS.map((ms) => utcOffsetMsAt(place.name, ms))
  const all = [statedMs, statedMs + HOUR_MS, ...others]
  return buildUncertainZone(Math.min(...all), Math.max(...all))
}

function toNamed(place: Place | null): EventZone | null {
  return place === null ? null : toEventZone(place.name)
}

function findExactZone(text: string): string | null {
  if (/^(Z|UTC|GMT|ETC|tzone:\/\/Microsoft\/Utc)$/i.test(text)) return 'UTC'
  return findIana(text) ?? WINDOWS_NAMES.get(text.toLowerCase()) ?? findAtEndOfPath(text)
}

/**
 * Finds an IANA name in a text. Accepts accents, spaces, other separators and suffixes: `Europe/Zürich`, `America/New
 * York`, `Europe-Berlin 1`.
 */
function findIana(text: string): string | null {
  const plain = withoutAccents(text)
  const spaced = plain.replaceAll(/\s+/g, '_')
  const separated = /^[A-Za-z]+[-.\\][A-Za-z_]+$/.test(spaced) ? spaced.replace(/[-.\\]/, '/') : spaced
  const found = [text, spaced, separated].find((one) => /^[A-Za-z][\w/+-]*$/.test(one) && isTimeZone(one))
  return found ?? null
}

function findAtEndOfPath(text: string): string | null {
  const parts = withoutSuffix(withoutAccents(text)).split(/[/\\]/)
  if (parts.length < 2) return null
  // Try the last three and the last two parts of the path: an IANA name has at most three, like
  // America/Argentina/Buenos_Aires.
  const ends = [3, 2].map((count) => parts.slice(-count).join('/').replaceAll(/\s+/g, '_'))
  const last = WINDOWS_NAMES.get(parts.at(-1)?.trim().toLowerCase() ?? '')
  return ends.find((end) => end.includes('/') && isTimeZone(end)) ?? last ?? null
}

type Place = { readonly name: string; readonly hasOffset: boolean }

/**
 * Resolves a place, or the first known one in a list of places. If the text states an offset, the first place with that
 * offset is preferred.
 */
function findPlace(text: string, statedMs: number | null): Place | null {
  const whole = withoutAccents(withoutSuffix(text))
  const candidates = [text, whole, whole.replace(/\b(daylight|summer) time\b/i, 'Standard Time')]
  const parts = whole.split(/[,/;]|\s-\s/).map((part) => part.replace(/^.*:\s/, ''))
  const names = [...candidates, ...parts].flatMap((one) => findPlaceName(one) ?? [])
  const places = names.map((name) => ({
    name,
    hasOffset: SEASONS_MS.some((ms) => utcOffsetMsAt(name, ms) === statedMs),
  }))
  return places.find(({ hasOffset }) => hasOffset) ?? places[0] ?? null
}

function findPlaceName(text: string): string | null {
  const written = withoutAccents(text)
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim()
  const key = written.replaceAll(/[.'’]/g, '').trim()
  if (key === '') return null
  const withoutParentheses = key.replace(/\s*\(.*\)$/, '')
  return (
    ZONE_ALIASES[key] ??
    WINDOWS_NAMES.get(written) ??
    cities().get(key) ??
    ZONE_ALIASES[withoutParentheses] ??
    cities().get(withoutParentheses) ??
    null
  )
}

let knownCities: ReadonlyMap<string, string> | null = null

/** Returns IANA names by their last part, if that is unique. */
function cities(): ReadonlyMap<string, string> {
  if (knownCities !== null) return knownCities
  const found = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const name of [...Intl.supportedValuesOf('timeZone'), ...Object.values(WINDOWS_ZONES)]) {
    const city = name.split('/').at(-1)?.toLowerCase().replaceAll('_', ' ') ?? ''
    if (!name.includes('/') || name.startsWith('Etc/')) continue
    const other = found.get(city)
    if (other !== undefined && !haveSameClocks(other, name)) ambiguous.add(city)
    found.set(city, name)
  }
  for (const city of ambiguous) found.delete(city)
  knownCities = found
  return found
}

function haveSameClocks(one: string, other: string): boolean {
  return one === other || SEASONS_MS.every((ms) => utcOffsetMsAt(one, ms) === utcOffsetMsAt(other, ms))
}

function toOffsetName(text: string): string | null {
  const { sign, hours, minutes = '00' } = OFFSET_NAME.exec(text)?.groups ?? {}
  if (sign === undefined || hours === undefined || Number(hours) > 14 || Number(minutes) > 59) return null
  return `${sign}${hours.padStart(2, '0')}:${minutes}`
}

function readStatedOffset(text: string): number | null {
  return readOffset(toOffsetName(text.replaceAll(/\s/g, '')) ?? '')
}

function normalizeName(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
}

/**
 * Removes the number that programs append to the zones of a file: `Eastern Standard Time 1`, `Berlin (2)`,
 * `Europe/Berlin-1`.
 */
function withoutSuffix(text: string): string {
  return text.replace(/[\s_-]*(?:\(\d{1,3}\)|[\s_#-]\d{1,3})$/, '').trim()
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '')
}
