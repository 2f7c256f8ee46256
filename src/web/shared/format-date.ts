import { DEFAULT_TIME_ZONE } from '#contract/appointments/booking-limits.ts'
import {
  zoneAbbreviation as abbreviationAt,
  toCurrentZone,
  zoneCityName,
} from '#contract/shared/zone-names.ts'
import { MACHINE_LOCALE } from '#core/shared/locale.ts'
import { formatInstant, formatterOf } from './format-instant.ts'

/** Every date and time on screens is formatted here. Dates are `yyyy-MM-dd`, instants RFC 3339. Source: rule W11. */

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

/** `Tuesday, December 1`, and `Friday, January 1, 2027` of another year than that of `today`. */
export function formatDateFrom(today: string, date: string): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4)
  return formatDay(date, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

/** `Nov 23`, where the year is plain. */
export function formatMonthDay(date: string): string {
  return formatDay(date, { month: 'short', day: 'numeric' })
}

/** `Tue`, where the day is one of a row. */
export function formatWeekday(date: string): string {
  return formatDay(date, { weekday: 'short' })
}

/** `Tuesday`: a day of every week, 0 Sunday to 6 Saturday. */
export function formatDayOfWeek(day: number): string {
  // January 4, 1970, was a Sunday.
  return formatInstant(Date.UTC(1970, 0, 4 + day), { weekday: 'long', timeZone: 'UTC' })
}

/** A calendar day has no zone: it is written as UTC midnight and read in UTC. */
export function formatDay(date: string, options: Intl.DateTimeFormatOptions): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return formatInstant(Date.UTC(year, month - 1, day), { ...options, timeZone: 'UTC' })
}

/**
 * The calendar day, `yyyy-MM-dd`, on which the instant falls in the given zone. Core has one for numbers, with tables of
 * offsets that the booking page would have to download and fill.
 */
export function localDateOf(instantIso: string, timeZone: string): string {
  const [month, day, year] = readingsOf(instantIso, timeZone)
  return `${year}-${month}-${day}`
}

/** The wall clock, `HH:mm`, of the given zone at the instant: for what is decided by the time of day. */
export function localTimeOf(instantIso: string, timeZone: string): string {
  const [, , , hour, minute] = readingsOf(instantIso, timeZone)
  return `${hour}:${minute}`
}

/**
 * Month, day, year, hour and minute in digits, of `12/01/2026, 09:30`. Core reads clocks from its tables of offsets, for
 * speed; they are about 900 bytes (gzip) that the booking page has no room for, while every browser knows the zones.
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

/** `London time (GMT)`, with the abbreviation that holds at that instant; `GMT-5` where the zone is named after no city. */
export function formatZone(timeZone: string, atIso: string): string {
  const abbreviation = zoneAbbreviation(timeZone, atIso)
  const place = zoneCityName(timeZone)
  return place === null ? abbreviation : `${place} (${abbreviation})`
}

/** `GMT`, `BST`, `EST`, or `GMT+5:45` where people use no abbreviation. */
export function zoneAbbreviation(timeZone: string, atIso: string): string {
  return abbreviationAt(timeZone, Date.parse(atIso))
}

/** The visitor's zone, under its present name where the browser knows that. */
export function browserTimeZone(): string {
  // A few old or hardened browsers leave it undefined or say "Etc/Unknown", which Intl itself refuses.
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
