import { DEFAULT_TIME_ZONE } from '#contract/booking-limits.ts'
import { zoneAbbreviation as abbreviationAt, presentZone, zoneCity } from '#contract/zone-names.ts'

/** The one door for dates and times on screens. Dates are `yyyy-MM-dd`, instants RFC 3339. Source: spec §9 "Formats". */

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Building a formatter costs about 50 µs; a month of times needs the same one again and again. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, known)
  return known
}

/** `9:30 AM` in the given zone (format 'h:mm a'). */
export function formatTime(instantIso: string, timeZone: string): string {
  const text = formatter('en-US', { timeZone, hour: 'numeric', minute: '2-digit' }).format(
    new Date(instantIso),
  )
  // Browsers put a narrow no-break space (U+202F) before AM and PM.
  return text.replace(/\s/g, ' ')
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

/** A calendar day has no zone: it is written as UTC midnight and read in UTC. */
export function formatDay(date: string, options: Intl.DateTimeFormatOptions): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return formatter('en-US', { ...options, timeZone: 'UTC' }).format(Date.UTC(year, month - 1, day))
}

/** The calendar day, `yyyy-MM-dd`, on which the instant falls in the given zone. */
export function localDateOf(instantIso: string, timeZone: string): string {
  const parts = formatter('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date(instantIso))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** `London time (GMT)`, with the abbreviation that holds at that instant. */
export function formatZone(timeZone: string, atIso: string): string {
  const abbreviation = zoneAbbreviation(timeZone, atIso)
  if (abbreviation === timeZone) return abbreviation
  return `${zoneCity(timeZone)} time (${abbreviation})`
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
  const present = presentZone(timeZone)
  return isKnownHere(present) ? present : timeZone
}

function isKnownHere(timeZone: string): boolean {
  try {
    formatter('en-US', { timeZone })
    return true
  } catch {
    return false
  }
}
