/** Adds the other person's name to a title, unless the title already contains it. */
export function addNameToTitle(title: string, name: string): string {
  return title.includes(name) ? title : [title, name].filter(Boolean).join(' · ')
}

/** The texts and times of an appointment in a customer's own calendar. */
export type CalendarEntry = {
  readonly title: string
  /** The start and end, in epoch milliseconds. */
  readonly startsMs: number
  readonly endsMs: number
  /** The location on one line; null when there is none. */
  readonly location: string | null
  readonly details: string
}

/** The URLs of pages at Google and Outlook.com that open a new calendar entry with everything filled in. */
type CalendarLinks = { readonly google: string; readonly outlook: string }

/**
 * Maximum length of each text after encoding. A URL of one entry stays below 2,000 characters, which every browser, mail
 * client and link scanner accepts.
 */
const MAX_ENCODED_LENGTH = { title: 450, location: 350, details: 900 } as const

/**
 * Builds the links that add an appointment to the customer's own calendar.
 *
 * Times are UTC instants, which Google and Outlook show in the zone of the reader's calendar. So the links contain no
 * zone and are right on both sides of a clock change. Spaces are `%20`, because Outlook does not decode a plus sign.
 * Neither provider documents its parameters.
 *
 * Source: rule M13.
 */
export function buildCalendarLinks({
  title,
  startsMs,
  endsMs,
  location,
  details,
}: CalendarEntry): CalendarLinks {
  const texts = {
    title: encodeText(title, MAX_ENCODED_LENGTH.title),
    location: encodeText(location ?? '', MAX_ENCODED_LENGTH.location),
    details: encodeText(details, MAX_ENCODED_LENGTH.details),
  }
  const [start, end] = [toUtcSeconds(startsMs), toUtcSeconds(endsMs)]
  return {
    google: toUrl('https://calendar.google.com/calendar/render', [
      ['action', 'TEMPLATE'],
      ['text', texts.title],
      ['dates', `${toBasicFormat(start)}%2F${toBasicFormat(end)}`],
      ['location', texts.location],
      ['details', texts.details],
    ]),
    outlook: toUrl('https://outlook.live.com/calendar/deeplink/compose', [
      ['path', '%2Fcalendar%2Faction%2Fcompose'],
      ['rru', 'addevent'],
      ['subject', texts.title],
      ['startdt', encodeURIComponent(start)],
      ['enddt', encodeURIComponent(end)],
      ['location', texts.location],
      ['body', texts.details],
    ]),
  }
}

/** Joins encoded parameters, leaving out empty ones. */
function toUrl(page: string, parameters: readonly (readonly [string, string])[]): string {
  const given = parameters.filter(([, value]) => value !== '')
  return `${page}?${given.map(([name, value]) => `${name}=${value}`).join('&')}`
}

/** Returns the instant in UTC without fractions of a second: `2026-12-01T09:30:00Z`. */
function toUtcSeconds(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\.\d+/, '')
}

/** Returns the basic format of ISO 8601: `20261201T093000Z`. */
function toBasicFormat(utc: string): string {
  return utc.replaceAll(/[-:]/g, '')
}

/** Encodes a text, cut between characters so that the result has at most `max` characters. */
function encodeText(text: string, max: number): string {
  let encoded = ''
  for (const character of text.toWellFormed()) {
    const next = encodeURIComponent(character)
    if (encoded.length + next.length > max) break
    encoded += next
  }
  return encoded
}
