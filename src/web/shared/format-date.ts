import { DEFAULT_TIME_ZONE } from '#contract/appointments/booking-limits.ts'
import {
  zoneAbbreviation as abbreviationAt,
  findZoneCityTimeName,
  toCurrentZoneName,
} from '#contract/shared/zone-names.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { MACHINE_LOCALE } from '#core/shared/locale.ts'
import { formatInstant, getDateTimeFormat } from './format-instant.ts'

/** This module formats all dates and times on screens. Dates are `yyyy-MM-dd`, instants RFC 3339. Source: rule W11. */

/** Formats a time in the given zone: `9:30 AM` (format 'h:mm a'), or `09:30` on the 24-hour clock. Source: rule W24. */
export function formatTime(instantIso: string, timeZone: string, hourCycle: HourCycle): string {
  return formatInstant(new Date(instantIso), { timeZone, hour: 'numeric', minute: '2-digit', hourCycle })
}

/** Formats a date as a heading (format 'EEEE, MMMM d'): `Tuesday, December 1`. */
export function formatDateHeading(date: string): string {
  return formatDay(date, { weekday: 'long', month: 'long', day: 'numeric' })
}

/** Formats a date in full (format 'MMMM d, yyyy'): `December 1, 2026`. */
export function formatLongDate(date: string): string {
  return formatDay(date, { year: 'numeric', month: 'long', day: 'numeric' })
}

/** Formats a date in short (format 'MMM d, yyyy'): `Dec 1, 2026`. */
export function formatShortDate(date: string): string {
  return formatDay(date, { year: 'numeric', month: 'short', day: 'numeric' })
}

/** Formats a date without its year: `Nov 23`. */
export function formatMonthDay(date: string): string {
  return formatDay(date, { month: 'short', day: 'numeric' })
}

/** Formats a date so that it fits on one line of a phone together with a time: `Tue, Dec 1`. */
export function formatShortDay(date: string): string {
  return formatDay(date, { weekday: 'short', month: 'short', day: 'numeric' })
}

/** Formats the weekday of a date, for rows of days: `Tue`. */
export function formatWeekday(date: string): string {
  return formatDay(date, { weekday: 'short' })
}

/** Returns the name of a weekday, 0 (Sunday) to 6: `Tuesday`. */
export function formatDayOfWeek(day: number): string {
  // January 4, 1970, was a Sunday.
  return formatInstant(Date.UTC(1970, 0, 4 + day), { weekday: 'long', timeZone: 'UTC' })
}

/** Formats a date. A date has no zone, so it is formatted as midnight UTC in UTC. */
export function formatDay(date: string, options: Intl.DateTimeFormatOptions): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return formatInstant(Date.UTC(year, month - 1, day), { ...options, timeZone: 'UTC' })
}

/** Returns the date (`yyyy-MM-dd`) of an instant in a zone. */
export function localDateOf(instantIso: string, timeZone: string): string {
  const [month, day, year] = readingsOf(instantIso, timeZone)
  return `${year}-${month}-${day}`
}

/** Returns today's date (`yyyy-MM-dd`) in a zone. */
export function todayIn(timeZone: string): string {
  return localDateOf(new Date().toISOString(), timeZone)
}

/** Returns the clock time (`HH:mm`) of an instant in a zone. */
export function localTimeOf(instantIso: string, timeZone: string): string {
  const [, , , hour, minute] = readingsOf(instantIso, timeZone)
  return `${hour}:${minute}`
}

/**
 * Returns the digits of month, day, year, hour and minute, read from `12/01/2026, 09:30`. The core uses its own offset tables
 * instead, which are faster. They would cost the booking page about 900 bytes (gzip), and browsers know the zones.
 */
function readingsOf(instantIso: string, timeZone: string): string[] {
  return getDateTimeFormat(MACHINE_LOCALE, {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(new Date(instantIso))
    .split(/\D+/)
}

/**
 * Returns the name of a zone with its abbreviation at an instant: `London time (GMT)`, or `GMT-5` if the zone is not named after
 * a city.
 */
export function formatZone(timeZone: string, atIso: string): string {
  const abbreviation = zoneAbbreviation(timeZone, atIso)
  const place = findZoneCityTimeName(timeZone)
  return place === null ? abbreviation : `${place} (${abbreviation})`
}

/**
 * Returns the abbreviation of a zone at an instant: `GMT`, `BST`, `EST`, or `GMT+5:45` if the zone has no common abbreviation.
 */
export function zoneAbbreviation(timeZone: string, atIso: string): string {
  return abbreviationAt(timeZone, Date.parse(atIso))
}

/** Returns the visitor's time zone, by its current IANA name if the browser knows that name. */
export function browserTimeZone(): string {
  // Some old or hardened browsers return undefined or "Etc/Unknown", which Intl does not accept.
  const timeZone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (timeZone === undefined || timeZone === 'Etc/Unknown') return DEFAULT_TIME_ZONE
  const present = toCurrentZoneName(timeZone)
  return isKnownHere(present) ? present : timeZone
}

function isKnownHere(timeZone: string): boolean {
  try {
    getDateTimeFormat(MACHINE_LOCALE, { timeZone })
    return true
  } catch {
    return false
  }
}
