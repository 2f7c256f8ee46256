import { LISTED_TIME_ZONES } from './limits.ts'

/** How time zones are called, the same on screens and in mails. */

/** Each English-speaking country knows the abbreviations of its own surroundings: BST, CET, NST, AEDT, NZDT, IST. */
const ABBREVIATION_LOCALES = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IN']

const formats = new Map<string, readonly Intl.DateTimeFormat[]>()

/** Building a format costs about 50 µs, and a list of times asks for the same zone again and again. */
function formatsOf(timeZone: string): readonly Intl.DateTimeFormat[] {
  const known =
    formats.get(timeZone) ??
    ABBREVIATION_LOCALES.map((locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }))
  formats.set(timeZone, known)
  return known
}

/** `GMT`, `BST`, `EST` at that instant, or `GMT+5:45` where people use no abbreviation. */
export function zoneAbbreviation(timeZone: string, epochMs: number): string {
  const names = formatsOf(timeZone).map(
    (format) => format.formatToParts(epochMs).find((part) => part.type === 'timeZoneName')?.value ?? timeZone,
  )
  return names.find((name) => !/^(GMT|UTC)[+\-−]/.test(name)) ?? names[0] ?? timeZone
}

/** The place a zone is named after: `New York` for `America/New_York`. */
export function zoneCity(timeZone: string): string {
  const listed = LISTED_TIME_ZONES.find(([zone]) => zone === timeZone)
  return listed?.[1] ?? (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}
