import { createHash } from 'node:crypto'
import { parseContentLine, toPropertyName } from './content-line.ts'
import { readTimeValue } from './time-values.ts'

/**
 * An iCalendar file (RFC 5545), reduced to the data that determine busy times. Plain data that can be sent to another
 * thread.
 */
export type CalendarFile = {
  /** The calendar's name from X-WR-CALNAME, which is not standardised but widely used. */
  readonly name: string | null
  /** The calendars in the file, each with its own zone. A file can contain several. */
  readonly calendars: readonly CalendarZones[]
  /** The events' components by UID: a series and its exceptions are several components. */
  readonly events: ReadonlyMap<string, readonly EventComponent[]>
}

/** The time zone data of a VCALENDAR. */
export type CalendarZones = {
  /** The zone's name from X-WR-TIMEZONE, which is not standardised but widely used. */
  readonly zoneName: string | null
  /** Lines of the VTIMEZONE components, by `toZoneKey` of their TZID. */
  readonly zoneDefinitions: ReadonlyMap<string, readonly string[]>
}

/** One VEVENT or VFREEBUSY: its unfolded lines, reduced to those that determine who is busy when. */
export type EventComponent = {
  readonly kind: 'VEVENT' | 'VFREEBUSY'
  /** The index of the component's calendar in the file. */
  readonly calendar: number
  readonly lines: readonly string[]
}

/** The event properties that we need. Properties inside nested components (alarms) are never needed. */
const KEPT_PROPERTIES = new Set([
  ...[
    'UID',
    'SEQUENCE',
    'DTSTAMP',
    'SUMMARY',
    'DTSTART',
    'DTEND',
    'DURATION',
    'RRULE',
    'EXRULE',
    'RDATE',
    'EXDATE',
  ],
  ...['RECURRENCE-ID', 'STATUS', 'TRANSP', 'ORGANIZER', 'CATEGORIES', 'FREEBUSY'],
  ...['X-MICROSOFT-CDO-BUSYSTATUS', 'X-MICROSOFT-CDO-INTENDEDSTATUS', 'X-MERIDIAN-APPOINTMENT'],
])
/** Properties that are never valid inside an alarm. If one appears there, the alarm was not closed. */
const EVENT_TIMES = new Set(['DTSTART', 'DTEND', 'RRULE', 'RDATE', 'EXDATE', 'RECURRENCE-ID'])

/** A component at the top level of the calendar. */
type Part = {
  readonly kind: string
  readonly calendar: number
  /** All lines of a zone; for an event, only the properties that we need. */
  readonly lines: string[]
  /** Lines with a time that were found inside a nested component of the event. */
  readonly insideTimes: string[]
  /** The nested components that are still open: alarms in an event, rules in a zone. */
  readonly inside: string[]
}

type Reading = {
  name: string | null
  /** The X-WR-TIMEZONE of each calendar. */
  readonly zoneNames: (string | null)[]
  readonly parts: Part[]
  open: Part | null
  where: 'before' | 'inside' | 'after'
}

/** Matches a folded line break: a continuation line begins with a space or a tab. */
const FOLD = /(?:\r\n|\r|\n)[ \t]/g

/**
 * Parses a file component by component. Malformed parts are skipped. Returns null when the file is not a calendar or
 * was truncated: the missing events would look deleted.
 */
export function readCalendarFile(text: string): CalendarFile | null {
  const reading: Reading = { name: null, zoneNames: [], parts: [], open: null, where: 'before' }
  for (const line of unfold(text)) {
    const { word, kind } = readBoundary(line)
    if (kind === 'VCALENDAR') {
      close(reading)
      reading.where = word === 'BEGIN' ? 'inside' : 'after'
      if (word === 'BEGIN') reading.zoneNames.push(null)
    } else if (reading.where === 'inside') {
      readComponentLine(reading, line, word, kind)
    }
  }
  if (reading.where !== 'after') return null
  const { name, zoneNames, parts } = reading
  return {
    name,
    calendars: zoneNames.map((zoneName, calendar) => ({
      zoneName,
      zoneDefinitions: toZones(
        parts.filter((part) => part.kind === 'VTIMEZONE' && part.calendar === calendar),
      ),
    })),
    events: toEvents(parts),
  }
}

/** Parses a BEGIN or END line with the component's name. */
function readBoundary(line: string): { readonly word: string; readonly kind: string } {
  const { word = '', kind = '' } =
    /^\s*(?<word>BEGIN|END)\s*:\s*(?<kind>[A-Za-z0-9-]{1,60})\s*$/i.exec(line.slice(0, 100))?.groups ?? {}
  return { word: word.toUpperCase(), kind: kind.toUpperCase() }
}

function readComponentLine(reading: Reading, line: string, word: string, kind: string): void {
  const { open } = reading
  if (word === 'BEGIN' && (open === null || endsOpenPart(open, kind))) {
    close(reading)
    const calendar = reading.zoneNames.length - 1
    reading.open = { kind, calendar, lines: [], insideTimes: [], inside: [] }
  } else if (open === null) {
    parseDetails(reading, line)
  } else if (word === 'END' && open.kind === kind) {
    close(reading)
  } else {
    addLine(open, line, word, kind)
  }
}

/**
 * True when an unclosed component ends because another one begins. Top-level components cannot be nested, so the open
 * one was never closed.
 */
function endsOpenPart(open: Part, kind: string): boolean {
  return (
    ['VEVENT', 'VFREEBUSY', 'VTIMEZONE', 'VTODO', 'VJOURNAL'].includes(kind) && open.kind !== 'VAVAILABILITY'
  )
}

function close(reading: Reading): void {
  const { open } = reading
  if (open === null) return
  if (!open.lines.some((line) => toPropertyName(line) === 'DTSTART')) open.lines.push(...open.insideTimes)
  reading.parts.push(open)
  reading.open = null
}

function parseDetails(reading: Reading, line: string): void {
  const name = toPropertyName(line)
  if (name === 'X-WR-CALNAME') reading.name ??= parseContentLine(line).value
  if (name === 'X-WR-TIMEZONE') reading.zoneNames[reading.zoneNames.length - 1] = parseContentLine(line).value
}

function addLine(
  { kind: whole, lines, inside, insideTimes }: Part,
  line: string,
  word: string,
  kind: string,
): void {
  if (whole === 'VTIMEZONE') lines.push(line)
  else if (word === 'BEGIN') inside.push(kind)
  else if (word === 'END') inside.pop()
  else if (whole !== 'VEVENT' && whole !== 'VFREEBUSY') return
  else if (inside.length === 0 && isKept(line)) lines.push(line)
  else if (EVENT_TIMES.has(toPropertyName(line))) insideTimes.push(line)
}

/** True when a line is needed. Of the attendees, only those who declined are. */
function isKept(line: string): boolean {
  const name = toPropertyName(line)
  return name === 'ATTENDEE' ? /;\s*PARTSTAT\s*=\s*"?DECLINED/i.test(line) : KEPT_PROPERTIES.has(name)
}

/** Yields unfolded lines. A continuation line begins with a space or a tab. Source: RFC 5545 §3.1. */
function* unfold(text: string): Generator<string> {
  const ends = /\r\n(?![ \t])|\r(?![\n \t])|\n(?![ \t])/g
  let start = text.startsWith('\uFEFF') ? 1 : 0
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield text.slice(start, end.index).replace(FOLD, '')
    start = ends.lastIndex
  }
  yield text.slice(start).replace(FOLD, '')
}

/** Returns the event's UID. Some programs write no UID; a hash of the content replaces it. */
function uidOf(lines: readonly string[]): string {
  const uid = lines.map(parseContentLine).find(({ name }) => name === 'UID')?.value ?? ''
  return uid === ''
    ? `without-uid-${createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32)}`
    : uid
}

type StampedPart = EventComponent & { readonly sequence: number; readonly stampMs: number }

function toEvents(parts: readonly Part[]): Map<string, readonly EventComponent[]> {
  const events = new Map<string, StampedPart[]>()
  for (const { kind, calendar, lines } of parts) {
    if (kind !== 'VEVENT' && kind !== 'VFREEBUSY') continue
    const part = { kind, calendar, ...toStamped(lines) } as const
    const uid = kind === 'VFREEBUSY' ? `freebusy ${uidOf(part.lines)}` : uidOf(part.lines)
    const known = events.get(uid)
    if (known === undefined) events.set(uid, [part])
    else known.push(part)
  }
  return new Map([...events].map(([uid, stamped]) => [uid, inOrder(stamped)]))
}

/**
 * Separates the version data of a component from its lines. Many servers write the time of the response as DTSTAMP, so
 * DTSTAMP is not part of an event's content.
 */
function toStamped(lines: readonly string[]): Pick<StampedPart, 'lines' | 'sequence' | 'stampMs'> {
  const textOf = (wanted: string) => {
    const line = lines.find((one) => toPropertyName(one) === wanted)
    return line === undefined ? '' : parseContentLine(line).value
  }
  return {
    lines: lines.filter((line) => toPropertyName(line) !== 'DTSTAMP'),
    sequence: Number.parseInt(textOf('SEQUENCE'), 10) || 0,
    stampMs: readTimeValue(textOf('DTSTAMP'))?.wallMs ?? 0,
  }
}

/** Sorts the versions of a component. Of two versions, the later one in this order applies. Source: RFC 5546 §2.1.5. */
function inOrder(parts: readonly StampedPart[]): EventComponent[] {
  return parts
    .toSorted((a, b) => a.sequence - b.sequence || a.stampMs - b.stampMs)
    .map(({ kind, calendar, lines }) => ({ kind, calendar, lines }))
}

function toZones(parts: readonly Part[]): Map<string, readonly string[]> {
  const zones = new Map<string, readonly string[]>()
  for (const { lines } of parts) {
    const tzid = lines.find((line) => toPropertyName(line) === 'TZID')
    if (tzid !== undefined) zones.set(toZoneKey(parseContentLine(tzid).value), lines)
  }
  return zones
}

/** Returns the normalised key that links the TZID of a time to its zone definition. */
export function toZoneKey(tzid: string): string {
  return tzid.replaceAll('"', '').trim().toLowerCase()
}

/** Lists everything that a file says about zones, for a hash of its content. */
export function toZoneText({ calendars }: CalendarFile): string {
  return calendars
    .flatMap(({ zoneName, zoneDefinitions }) => [zoneName ?? '', ...[...zoneDefinitions.values()].flat()])
    .join('\n')
}
