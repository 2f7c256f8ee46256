import type { Interval } from '#core/shared/interval.ts'
import { findAppointmentProperty } from '#server/integrations/own-events/appointment-property.ts'
import type {
  EventOccurrence,
  ExternalEvent,
  ReaderZones,
  UnreadablePart,
} from '#server/ports/external-calendar.ts'
import { parseContentLine, toPropertyName } from './content-line.ts'
import type { EventTime } from './event-zones.ts'
import { CONTINUOUS_OCCURRENCE_KEY, listOccurrences, occupiesTime } from './list-occurrences.ts'
import {
  type EventWithoutTime,
  type ParsedEvent,
  parseEvent,
  parseEventDetails,
  parseFreeBusyTimes,
} from './parse-event.ts'
import type { CalendarFile, EventComponent } from './read-calendar-file.ts'
import { ZERO_DURATION } from './time-values.ts'
import { buildWorkCounter, type WorkCounter } from './work-counter.ts'
import { buildZoneResolver, type ResolveZone } from './zone-resolver.ts'

/** The content of an event, without the data that only its provider has. */
export type ParsedEventContent = Pick<
  ExternalEvent,
  'title' | 'occurrences' | 'appointmentId' | 'secret' | 'isInvitation' | 'unreadable'
> & {
  /** True when the whole event is cancelled, not just one occurrence. */
  readonly isCancelled: boolean
}

/**
 * Reads the components of one UID. `ours` is the appointment that the event is known to belong to, independent of its
 * content.
 */
export type EventReader = (
  uid: string,
  parts: readonly EventComponent[],
  ours?: string | null,
) => ParsedEventContent

/** Matches the UID of an event that we wrote: the part before the @ is the appointment's id. */
const OWN_UID = /^(?<appointmentId>[0-9a-f-]{36})@(?<host>[^@]+)$/i

type Settings = {
  readonly window: Interval
  /** The owner's email addresses, in lower case. */
  readonly ownerAddresses: ReadonlySet<string>
  readonly ownUidHost: string
  /** Work limit for the whole file, shared by all readers of the file. */
  readonly work?: WorkCounter
}

/**
 * Builds a reader for the events of a file. All-day events and floating times (without a zone) are read in their
 * calendar's zone, or else in each of `timeZones`. `ownUidHost` is the host in the UIDs of our emails: a calendar that
 * imported a file from one of them contains the appointment itself, which must not block its own time. A reader throws
 * a CalendarTooLargeError once the file exceeds its work limit. Source: rules G4, G5 and G25.
 */
export function buildEventReader(
  file: Pick<CalendarFile, 'calendars'>,
  { timeZones, work = buildWorkCounter(), ...settings }: Settings & { readonly timeZones: ReaderZones },
): EventReader {
  const zonesOf = buildZoneResolver(file, work)
  const readers = timeZones.map((timeZone) => {
    const known = new Map<number, ResolveZone>()
    const zoneOfCalendar = (calendar: number) => {
      const zoneOf = known.get(calendar) ?? zonesOf(calendar, timeZone)
      known.set(calendar, zoneOf)
      return zoneOf
    }
    return [timeZone, buildReaderInZone(zoneOfCalendar, { ...settings, work })] as const
  })
  return (uid, parts, ours = null) => {
    const [first, ...others] = readers
    if (first === undefined) throw new Error('a calendar has a reader')
    const reading = first[1](uid, parts, ours)
    // An appointment has a single time, so only the first zone is used.
    if (others.length === 0 || reading.appointmentId !== null) return reading
    const readings = others.map(([zone, read]) => ({ zone, ...read(uid, parts, ours) }))
    return {
      ...reading,
      occurrences: addTimesOfZones(reading.occurrences, readings),
      unreadable: findLeastReadable([reading, ...readings]),
    }
  }
}

/** Returns the least readable of several unreadable parts. */
export function findLeastReadable(
  readings: readonly Pick<ParsedEventContent, 'unreadable'>[],
): UnreadablePart | null {
  const parts = new Set(readings.map(({ unreadable }) => unreadable))
  return (['date', 'times', 'zone'] as const).find((part) => parts.has(part)) ?? null
}

/** Adds the times of an event as read in the other zones. A time that is the same in several zones is added once. */
function addTimesOfZones(
  first: readonly EventOccurrence[],
  readings: readonly (ParsedEventContent & { readonly zone: string })[],
): EventOccurrence[] {
  const toTime = ({ startMs, endMs }: EventOccurrence) => `${startMs} ${endMs}`
  const times = new Set(first.map(toTime))
  const all = [...first]
  for (const { zone, occurrences } of readings) {
    for (const one of occurrences) {
      if (times.has(toTime(one))) continue
      times.add(toTime(one))
      all.push({ ...one, key: `${zone} ${one.key}` })
    }
  }
  return all
}

function buildReaderInZone(
  zoneOfCalendar: (calendar: number) => ResolveZone,
  { window, ownerAddresses, ownUidHost, work }: Settings & { readonly work: WorkCounter },
): EventReader {
  return (uid, all, ours = null) => {
    const { parts, missing } = limitEvent(all)
    work.spend(parts.reduce((count, { lines }) => count + 10 * lines.length, 0))
    const read = parseParts(parts, zoneOfCalendar, ownerAddresses)
    const appointmentId =
      read.find((event) => event.appointmentId !== null)?.appointmentId ?? ours ?? findOwn(uid, ownUidHost)
    const isInvitation = read.some((event) => event.isInvitation)
    // An event of another organizer occupies time like any other event, even when it claims to belong to an
    // appointment.
    const events = read
      .filter((event): event is ParsedEvent => event.start !== null)
      .map((event) => ({ ...event, appointmentId: isInvitation ? null : appointmentId }))
    const isOurs = !isInvitation && read.some(({ isBusy, isCancelled }) => isBusy && !isCancelled)
    const occurrences =
      missing === 'nothing' ? listOccurrences(events, window, work) : listAll(missing, events, window)
    const main = read.find((event) => event.start !== null && event.replaces === null) ?? read[0]
    return {
      title: main?.title ?? null,
      occurrences,
      appointmentId,
      secret: isOurs ? (read.find(({ secret }) => secret !== null)?.secret ?? null) : null,
      isInvitation,
      isCancelled: missing !== 'components' && read.length > 0 && read.every((event) => event.isCancelled),
      unreadable: findUnreadable(read, missing !== 'nothing', occurrences.length > 0),
    }
  }
}

/** Returns how unreadable an event is. An event with a readable date and no time in the window can be ignored. */
function findUnreadable(
  read: readonly (ParsedEvent | EventWithoutTime)[],
  isCut: boolean,
  takesTime: boolean,
): UnreadablePart | null {
  if (read.some((event) => event.start === null && occupiesTime(event))) return 'date'
  if (!takesTime) return null
  const events = read.filter((event): event is ParsedEvent => event.start !== null)
  if (isCut || events.some(({ isReadable }) => !isReadable)) return 'times'
  return events.some(({ isZoneKnown }) => !isZoneKnown) ? 'zone' : null
}

/** Parses the components of one UID. The series is parsed first, because exceptions without a zone use its zone. */
function parseParts(
  parts: readonly EventComponent[],
  zoneOfCalendar: (calendar: number) => ResolveZone,
  ownerAddresses: ReadonlySet<string>,
): (ParsedEvent | EventWithoutTime)[] {
  const parse = (part: EventComponent, series: EventTime | null) => {
    const zoneOf = zoneOfCalendar(part.calendar)
    return part.kind === 'VFREEBUSY'
      ? parseFreeBusy(part, zoneOf)
      : [parseEvent(part, { zoneOf, ownerAddresses, series }) ?? []].flat()
  }
  const isException = ({ lines }: EventComponent) =>
    lines.some((line) => toPropertyName(line) === 'RECURRENCE-ID')
  const series = parts.filter((part) => !isException(part)).flatMap((part) => parse(part, null))
  const start = series.find((event) => event.start !== null)?.start ?? null
  return [...series, ...parts.filter(isException).flatMap((part) => parse(part, start))]
}

/**
 * Lists the occupied times. An event that could only be read in part occupies the whole window, unless it is known to
 * occupy no time. Source: rule G25.
 */
function listAll(
  missing: 'components' | 'times',
  events: readonly ParsedEvent[],
  window: Interval,
): EventOccurrence[] {
  const takesTime = missing === 'components' || events.some(occupiesTime)
  return takesTime ? toWholeWindowBusyTime(window) : []
}

/**
 * Returns one busy time that covers the whole window, in place of the times of an incompletely read event; none for an
 * empty window.
 */
export function toWholeWindowBusyTime(window: Interval): EventOccurrence[] {
  return window.startMs < window.endMs ? [{ ...window, key: CONTINUOUS_OCCURRENCE_KEY, isAllDay: false }] : []
}

function findOwn(uid: string, ownUidHost: string): string | null {
  const { appointmentId = '', host } = OWN_UID.exec(uid)?.groups ?? {}
  return host?.toLowerCase() === ownUidHost
    ? (findAppointmentProperty(appointmentId)?.appointmentId ?? null)
    : null
}

/** Maximum number of components per UID: a daily series with every day moved has 760 within the synced period. */
const MAX_PARTS = 5_000

/**
 * Maximum number of the expensive parts of an event. An hourly series has 18,000 dates within the synced period.
 * Source: rule G25.
 */
const MAX_COUNTS = { RRULE: 100, EXRULE: 100, RDATE: 20_000, FREEBUSY: 20_000, EXDATE: 20_000 }

type Counted = keyof typeof MAX_COUNTS

/** An event without the parts that exceed the limits. */
type LimitedEvent = {
  readonly parts: readonly EventComponent[]
  /** The dropped parts: whole components, whose times are unknown, or only some times of the remaining components. */
  readonly missing: 'nothing' | 'components' | 'times'
}

/**
 * Drops the parts of an event that exceed the limits, before they cost any processor time: anybody can send such an
 * event. Times whose exclusion was dropped stay busy. Source: rule G25.
 */
function limitEvent(parts: readonly EventComponent[]): LimitedEvent {
  const used: Record<Counted, number> = { RRULE: 0, EXRULE: 0, RDATE: 0, FREEBUSY: 0, EXDATE: 0 }
  const isKept = (line: string) => {
    const name = toPropertyName(line)
    if (!isCounted(name)) return true
    // A comma in the name of a time zone is counted too, which does no harm.
    used[name] += name === 'RRULE' || name === 'EXRULE' ? 1 : line.split(',').length
    return used[name] <= MAX_COUNTS[name]
  }
  const kept = parts.slice(0, MAX_PARTS).map((part) => ({ ...part, lines: part.lines.filter(isKept) }))
  if (parts.length > MAX_PARTS) return { parts: kept, missing: 'components' }
  const isWhole = (['RRULE', 'RDATE', 'FREEBUSY'] as const).every((name) => used[name] <= MAX_COUNTS[name])
  return { parts: kept, missing: isWhole ? 'nothing' : 'times' }
}

function isCounted(name: string): name is Counted {
  return Object.hasOwn(MAX_COUNTS, name)
}

/**
 * Parses a VFREEBUSY: each period is busy unless its type is FREE, also with an unknown type. Time between periods is
 * free. Source: RFC 5545 §3.6.4 and §3.2.9.
 */
function parseFreeBusy(
  { lines: texts }: EventComponent,
  zoneOf: ResolveZone,
): (ParsedEvent | EventWithoutTime)[] {
  const lines = texts.map(parseContentLine)
  const busy = lines.filter(
    ({ name, parameters }) => name === 'FREEBUSY' && parameters.get('FBTYPE')?.toUpperCase() !== 'FREE',
  )
  const { times, isReadable, isZoneKnown } = parseFreeBusyTimes(busy, zoneOf)
  const about = { ...parseEventDetails(lines, new Set()), appointmentId: null, secret: null }
  const [first] = times
  // A VFREEBUSY without periods makes no statement about any time.
  if (first === undefined) return isReadable ? [] : [{ ...about, start: null }]
  return [
    {
      ...about,
      start: first.start,
      length: ZERO_DURATION,
      replaces: null,
      isThisAndFuture: false,
      rules: [],
      excludedRules: [],
      added: times,
      excluded: [],
      isReadable,
      isZoneKnown,
    },
  ]
}
