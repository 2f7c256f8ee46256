import { createHash } from 'node:crypto'
import ICAL from 'ical.js'

/** A file in the format iCalendar (RFC 5545), as far as busy times need it. */
export type CalendarFile = {
  /** X-WR-CALNAME and X-WR-TIMEZONE: no standard, and nearly everybody writes them. */
  readonly name: string | null
  readonly zoneName: string | null
  /** The VTIMEZONE components, by TZID. */
  readonly zoneDefinitions: ReadonlyMap<string, ICAL.Component>
  /** The events, by UID: a series with its exceptions is several components. */
  readonly events: ReadonlyMap<string, readonly EventLines[]>
}

/** The lines of one VEVENT, unfolded: those that say who is busy when. */
export type EventLines = readonly string[]

/**
 * A malformed line in a description must not hide that somebody is busy, so it is not even read. Of parts inside (alarms) nothing
 * is needed.
 */
const KEPT_PROPERTIES = new Set([
  ...['UID', 'SEQUENCE', 'SUMMARY', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXDATE'],
  ...['RECURRENCE-ID', 'STATUS', 'TRANSP', 'ORGANIZER', 'ATTENDEE', 'CATEGORIES'],
  ...['X-MICROSOFT-CDO-BUSYSTATUS', 'X-MICROSOFT-CDO-INTENDEDSTATUS', 'X-MERIDIAN-APPOINTMENT'],
])

/** A component directly in the calendar. */
type Part = {
  readonly kind: string
  /** Of a zone everything, of an event what is kept. */
  readonly lines: string[]
  /** The components inside it that are open: alarms, and the rules of a zone. */
  readonly inside: string[]
}

type Reading = {
  /** What the calendar says about itself, by the names of the properties. */
  readonly about: Map<string, string>
  readonly parts: Part[]
  open: Part | null
  where: 'before' | 'inside' | 'after'
}

/** The end of a line that the next one goes on with. */
const FOLD = /(?:\r\n|\r|\n)[ \t]/g

/**
 * Reads a file part by part. What is malformed is left out and the rest is read. Null when it is no calendar, or one that was cut off:
 * what it lacks would look deleted.
 */
export function readCalendarFile(text: string): CalendarFile | null {
  const reading: Reading = { about: new Map(), parts: [], open: null, where: 'before' }
  for (const line of unfold(text)) {
    const [, word = '', kind = ''] =
      /^(BEGIN|END):(.*)$/i.exec(line.trim())?.map((part) => part.toUpperCase()) ?? []
    if (kind === 'VCALENDAR') {
      reading.where = word === 'BEGIN' ? 'inside' : 'after'
      reading.open = null
    } else if (reading.where === 'inside') {
      takeLine(reading, line, word, kind)
    }
  }
  if (reading.where !== 'after') return null
  const { about, parts } = reading
  return {
    name: about.get('X-WR-CALNAME') ?? null,
    zoneName: about.get('X-WR-TIMEZONE') ?? null,
    zoneDefinitions: toZones(parts.filter(({ kind }) => kind === 'VTIMEZONE')),
    events: toEvents(parts.filter(({ kind }) => kind === 'VEVENT')),
  }
}

function takeLine(reading: Reading, line: string, word: string, kind: string): void {
  const { open, about, parts } = reading
  // An event inside another part means that the part was never ended.
  if (word === 'BEGIN' && (open === null || kind === 'VEVENT')) {
    reading.open = { kind, lines: [], inside: [] }
  } else if (open === null) {
    const { name, value } = splitLine(line)
    about.set(name, value)
  } else if (word === 'END' && open.kind === kind) {
    parts.push(open)
    reading.open = null
  } else {
    addLine(open, line, word, kind)
  }
}

function addLine({ kind: whole, lines, inside }: Part, line: string, word: string, kind: string): void {
  if (whole === 'VTIMEZONE') lines.push(line)
  else if (word === 'BEGIN') inside.push(kind)
  else if (word === 'END') inside.pop()
  else if (inside.length === 0 && KEPT_PROPERTIES.has(splitLine(line).name)) lines.push(line)
}

/** Line after line. Long ones are folded: the next one begins with a space or a tab. Source: RFC 5545 §3.1. */
function* unfold(text: string): Generator<string> {
  const ends = /\r\n(?![ \t])|\r(?![\n \t])|\n(?![ \t])/g
  let start = text.startsWith('\uFEFF') ? 1 : 0
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield text.slice(start, end.index).replace(FOLD, '')
    start = ends.lastIndex
  }
  yield text.slice(start).replace(FOLD, '')
}

/** The name of a property in capitals, and its text after the parameters. */
export function splitLine(line: string): { readonly name: string; readonly value: string } {
  const { name = '', value = '' } =
    /^(?<name>[A-Za-z0-9-]+)(?:;(?:[^":]|"[^"]*")*)?:(?<value>.*)$/.exec(line)?.groups ?? {}
  return { name: name.toUpperCase(), value: value.trim() }
}

/** Some programs write no UID. What the event says then stands for it. */
function uidOf(lines: EventLines): string {
  const uid = lines.map(splitLine).find(({ name }) => name === 'UID')?.value ?? ''
  return uid === ''
    ? `without-uid-${createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32)}`
    : uid
}

function toEvents(parts: readonly Part[]): Map<string, EventLines[]> {
  const events = new Map<string, EventLines[]>()
  for (const { lines } of parts) {
    const uid = uidOf(lines)
    const known = events.get(uid)
    if (known === undefined) events.set(uid, [lines])
    else known.push(lines)
  }
  return events
}

function toZones(parts: readonly Part[]): Map<string, ICAL.Component> {
  const zones = new Map<string, ICAL.Component>()
  for (const { lines } of parts) {
    const component = parseComponent('VTIMEZONE', lines)
    const tzid = component?.getFirstPropertyValue('tzid')
    if (component !== null && typeof tzid === 'string') zones.set(tzid, component)
  }
  return zones
}

/** Null when a line of it is malformed. */
export function parseComponent(
  kind: 'VEVENT' | 'VTIMEZONE',
  lines: readonly string[],
): ICAL.Component | null {
  try {
    return new ICAL.Component(ICAL.parse([`BEGIN:${kind}`, ...lines, `END:${kind}`].join('\r\n')))
  } catch {
    return null
  }
}
