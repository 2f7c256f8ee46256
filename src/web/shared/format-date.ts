import { DEFAULT_TIME_ZONE } from '#contract/appointments/booking-limits.ts'
import {
  zoneAbbreviation as abbreviationAt,
  toCurrentZone,
  zoneCityName,
} from '#contract/shared/zone-names.ts'
import { MACHINE_LOCALE } from '#core/shared/locale.ts'
import { formatInstant, formatterOf } from './format-instant.ts'

/** All formatting of dates and times on screens. Dates are `yyyy-MM-dd`, instants RFC 3339. Source: rule W11. */

/** `9:30 AM` in the given zone (format 'h:mm a'). */
export function formatTime(instantIso: string, timeZone: string): string {
  return formatInstant(new Date(instantIso), { timeZone, hour: 'numeric', minute: '2-digit' })
}

/** `Tuesday, December 1` (format 'EEEE, MMMM d'). */
export function formatDateHeading(date: string): string {
  return formatDay(date, { weekday: 'long', month: 'long', day: 'numeric' })
}

/** `December 1, 2026` (format 'MMMM d, yyyy'). */
export function formatLongDate(date: string): string {
  return formatDay(date, { year: 'numeric', month: 'long', day: 'numeric' })
}

/** `Dec 1, 2026` (format 'MMM d, yyyy'). */
export function formatShortDate(date: string): string {
  return formatDay(date, { year: 'numeric', month: 'short', day: 'numeric' })
}

/** `Tuesday, December 1`, or `Friday, January 1, 2027` if the year is not that of `today`. */
export function formatDateFrom(today: string, date: string): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4)
  return formatDay(date, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

/** `Nov 23`, without the year. */
export function formatMonthDay(date: string): string {
  return formatDay(date, { month: 'short', day: 'numeric' })
}

/** `Tue, Dec 1`: fits on one line of a phone together with a time. */
export function formatShortDay(date: string): string {
  return formatDay(date, { weekday: 'short', month: 'short', day: 'numeric' })
}

/** `Tue`, for days in a row. */
export function formatWeekday(date: string): string {
  return formatDay(date, { weekday: 'short' })
}

/** `Tuesday`: the name of a weekday, 0 (Sunday) to 6. */
export function formatDayOfWeek(day: number): string {
  // January 4, 1970, was a Sunday.
  return formatInstant(Date.UTC(1970, 0, 4 + day), { weekday: 'long', timeZone: 'UTC' })
}

/** Formats a date. A date has no zone, so it is formatted as midnight UTC in UTC. */
export function formatDay(date: string, options: Intl.DateTimeFormatOptions): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return formatInstant(Date.UTC(year, month - 1, day), { ...options, timeZone: 'UTC' })
}

/** The date, `yyyy-MM-dd`, of an instant in a zone. */
export function localDateOf(instantIso: string, timeZone: string): string {
  const [month, day, year] = readingsOf(instantIso, timeZone)
  return `${year}-${month}-${day}`
}

/** The clock time, `HH:mm`, of an instant in a zone. */
export function localTimeOf(instantIso: string, timeZone: string): string {
  const [, , , hour, minute] = readingsOf(instantIso, timeZone)
  return `${hour}:${minute}`
}

/**
 * Month, day, year, hour and minute in digits, from `12/01/2026, 09:30`. The core uses its own offset tables instead, for
 * speed. They would cost the booking page about 900 bytes (gzip), and browsers know the zones.
 */
function readingsOf(instantIso: string, timeZone: string): string[] {
  return formatterOf(MACHINE_LOCALE, {
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

/** `London time (GMT)`, with the abbreviation at that instant, or `GMT-5` if the zone is not named after a city. */
export function formatZone(timeZone: string, atIso: string): string {
  const abbreviation = zoneAbbreviation(timeZone, atIso)
  const place = zoneCityName(timeZone)
  return place === null ? abbreviation : `${place} (${abbreviation})`
}

/** `GMT`, `BST`, `EST`, or `GMT+5:45` if the zone has no common abbreviation. */
export function zoneAbbreviation(timeZone: string, atIso: string): string {
  return abbreviationAt(timeZone, Date.parse(atIso))
}

/** The visitor's time zone, under its current IANA name if the browser knows it. */
export function browserTimeZone(): string {
  // Some old or hardened browsers return undefined or "Etc/Unknown", which Intl does not accept.
  const timeZone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (timeZone === undefined || timeZone === 'Etc/Unknown') return DEFAULT_TIME_ZONE
  const present = toCurrentZone(timeZone)
  return isKnownHere(present) ? present : timeZone
}

function isKnownHere(timeZone: string): boolean {
  try {
    formatterOf(MACHINE_LOCALE, { timeZone })
    return true
  } catch {
    return false
  }
}
