import { LISTED_TIME_ZONES } from '#contract/limits.ts'

/** Each English-speaking country knows the abbreviations of its own surroundings: BST, CET, AEDT, NZDT, IST. */
const ABBREVIATION_LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-IN']

/** `GMT`, `BST`, `EST`, or `GMT+5:45` where people use no abbreviation. The booking page says the same. */
export function zoneAbbreviation(timeZone: string, epochMs: number): string {
  const names = ABBREVIATION_LOCALES.map((locale) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
    return format.formatToParts(epochMs).find((part) => part.type === 'timeZoneName')?.value ?? timeZone
  })
  return names.find((name) => !/^(GMT|UTC)[+-−]/.test(name)) ?? names[0] ?? timeZone
}

/** `London time`, after the place that the zone is named for; null for UTC and other zones without a place. */
export function zonePlace(timeZone: string): string | null {
  if (timeZone.startsWith('Etc/') || !timeZone.includes('/')) return null
  const listed = LISTED_TIME_ZONES.find(([zone]) => zone === timeZone)
  const city = listed?.[1] ?? (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
  return `${city} time`
}
