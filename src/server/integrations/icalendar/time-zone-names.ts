import ICAL from 'ical.js'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { isTimeZone, offsetMsAt } from '#core/shared/zoned-time.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

/** Finds the IANA zone that a TZID of a file means. */
export type ZoneOf = (tzid: string | null) => string

const WINDOWS_NAMES = new Map(
  Object.entries(WINDOWS_ZONES).map(([windows, iana]) => [windows.toLowerCase(), iana]),
)

/** `GMT+0200`, `UTC-3`, `+05:30`. */
const OFFSET_NAME = /^(?:UTC|GMT)?(?<sign>[+-])(?<hours>\d{1,2}):?(?<minutes>\d\d)?$/i

/** Twice a month for a year shows where a zone changes its clocks. */
const PROBE_EVERY_MS = 15 * DAY_MS
const PROBES = 25

/**
 * How many days a year the rules of a definition may name, all together. A real one has some ten rules, of one day or, where a program
 * writes 'the second Sunday' so, of seven.
 */
const MAX_DAYS_A_YEAR = 100

/**
 * Reads the names that real calendars give to zones: IANA and Windows names, names with a path in front
 * (`/mozilla.org/20070129_1/Europe/Berlin`), `Z`, offsets, and names that only the file itself explains. A name that says nothing
 * means the zone of the calendar, and so does none (a floating time). Source: rule G4.
 */
export function buildZoneOf({
  calendarZone,
  definitions,
  aroundMs,
}: {
  readonly calendarZone: string
  /** The VTIMEZONE components of the file, by TZID. */
  readonly definitions: ReadonlyMap<string, ICAL.Component>
  /** Rules of zones change with the years; these matter. */
  readonly aroundMs: number
}): ZoneOf {
  const known = new Map<string, string>()
  return (tzid) => {
    if (tzid === null) return calendarZone
    const found = known.get(tzid)
    if (found !== undefined) return found
    const zone =
      findNamedZone(tzid) ?? findDefinedZone(definitions.get(tzid), calendarZone, aroundMs) ?? calendarZone
    known.set(tzid, zone)
    return zone
  }
}

/** The zone that a name means by itself; null when it means none. */
export function findNamedZone(tzid: string): string | null {
  const name = tzid.trim().replace(/^"(.*)"$/, '$1')
  if (/^(Z|UTC|GMT)$/i.test(name)) return 'UTC'
  if (isTimeZone(name)) return name
  return WINDOWS_NAMES.get(name.toLowerCase()) ?? findAtEndOfPath(name) ?? toOffsetZone(name)
}

function findAtEndOfPath(name: string): string | null {
  const parts = name.split('/')
  // America/Argentina/Buenos_Aires has the most.
  const ends = [3, 2].filter((count) => count < parts.length).map((count) => parts.slice(-count).join('/'))
  return ends.find(isTimeZone) ?? null
}

function toOffsetZone(name: string): string | null {
  const { sign, hours, minutes = '00' } = OFFSET_NAME.exec(name)?.groups ?? {}
  if (sign === undefined || hours === undefined || Number(hours) > 14 || Number(minutes) > 59) return null
  return `${sign}${hours.padStart(2, '0')}:${minutes}`
}

/** The zone whose clocks go like those that a VTIMEZONE describes. */
function findDefinedZone(
  definition: ICAL.Component | undefined,
  calendarZone: string,
  aroundMs: number,
): string | null {
  if (definition === undefined || !isBounded(definition)) return null
  const location = definition.getFirstPropertyValue('x-lic-location')
  if (typeof location === 'string' && isTimeZone(location)) return location
  const defined = listDefinedOffsets(definition, aroundMs)
  const candidates = [calendarZone, ...new Set(Object.values(WINDOWS_ZONES))]
  return candidates.find((zone) => defined.every(({ atMs, ms }) => offsetMsAt(zone, atMs) === ms)) ?? null
}

/** Whether the clocks change so seldom that all changes since the first year can be followed: each one is kept. Source: rule G25. */
function isBounded(definition: ICAL.Component): boolean {
  const rules = definition.getAllSubcomponents().flatMap((observance) => observance.getAllProperties('rrule'))
  return rules.reduce((days, rule) => days + countDaysAYear(rule), 0) <= MAX_DAYS_A_YEAR
}

function countDaysAYear(property: ICAL.Property): number {
  const rule = property.getFirstValue()
  if (!(rule instanceof ICAL.Recur) || rule.freq !== 'YEARLY') return Number.POSITIVE_INFINITY
  const { BYMONTH = [], BYMONTHDAY = [], BYDAY = [], BYSETPOS: _which, ...others } = rule.parts
  const isSimple = Object.keys(others).length === 0 && BYMONTH.length <= 1 && BYDAY.length <= 1
  return isSimple ? Math.max(BYMONTHDAY.length, 1) : Number.POSITIVE_INFINITY
}

function listDefinedOffsets(definition: ICAL.Component, aroundMs: number) {
  const zone = new ICAL.Timezone(definition)
  return Array.from({ length: PROBES }, (_, index) => {
    const probeMs = aroundMs + index * PROBE_EVERY_MS
    const ms = zone.utcOffset(ICAL.Time.fromJSDate(new Date(probeMs), true)) * 1000
    return { atMs: probeMs - ms, ms }
  }).filter(({ atMs, ms }) => Number.isFinite(atMs) && Math.abs(ms) < 24 * 60 * MINUTE_MS)
}
