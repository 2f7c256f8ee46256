import type { Interval } from '#core/shared/interval.ts'
import type {
  EventOccurrence,
  ExternalEvent,
  ReaderZones,
  UnreadablePart,
} from '#server/ports/external-calendar.ts'
import { findAppointmentProperty } from '../own-events/appointment-property.ts'
import { limitEvent } from './bound-event.ts'
import { nameOf } from './content-line.ts'
import type { EventTime } from './event-zones.ts'
import { CONTINUOUS_KEY, listOccurrences, occupiesTime } from './list-occurrences.ts'
import { type ParsedEvent, parseEvent, type TimelessEvent } from './parse-event.ts'
import { parseFreeBusy } from './parse-free-busy.ts'
import type { CalendarFile, EventPart } from './read-calendar-file.ts'
import { buildReadingWork, type ReadingWork } from './reading-work.ts'
import { buildZonesOfFile, type ZoneOf } from './zones-of-file.ts'

/** What an event says, without what only its provider knows. */
export type EventReading = Pick<
  ExternalEvent,
  'title' | 'occurrences' | 'appointmentId' | 'secret' | 'isInvitation' | 'unreadable'
> & {
  /** The whole event, not one occurrence of it. */
  readonly isCancelled: boolean
}

/** `ours`: the appointment that the event is known to be of, by something else than what it says. */
export type EventReader = (uid: string, parts: readonly EventPart[], ours?: string | null) => EventReading

/** Of an event that we wrote, the part of its UID before the @ is the appointment. */
const OWN_UID = /^(?<appointmentId>[0-9a-f-]{36})@(?<host>[^@]+)$/i

type Settings = {
  readonly window: Interval
  /** In lower case. */
  readonly ownerAddresses: ReadonlySet<string>
  readonly ownUidHost: string
  /** What the whole file may cost; readers of the same file share it. */
  readonly work?: ReadingWork
}

/**
 * Builds what reads the events of a file. All-day events and floating times are in the zone that their calendar names, or else in each
 * of `timeZones`. `ownUidHost` is the host in the UIDs of our emails: a calendar that took one of their files in has the appointment
 * itself, which is no other time. A reader throws a CalendarTooLargeError once the file has cost too much. Source: rules G4, G5 and G25.
 */
export function buildEventReader(
  file: Pick<CalendarFile, 'calendars'>,
  { timeZones, work = buildReadingWork(), ...settings }: Settings & { readonly timeZones: ReaderZones },
): EventReader {
  const zonesOf = buildZonesOfFile(file, work)
  const readers = timeZones.map((timeZone) => {
    const known = new Map<number, ZoneOf>()
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
    // An appointment has a single time.
    if (others.length === 0 || reading.appointmentId !== null) return reading
    const readings = others.map(([zone, read]) => ({ zone, ...read(uid, parts, ours) }))
    return {
      ...reading,
      occurrences: addTimesOfZones(reading.occurrences, readings),
      unreadable: findLeastReadable([reading, ...readings]),
    }
  }
}

/** The part of several readings that is least known. */
export function findLeastReadable(
  readings: readonly Pick<EventReading, 'unreadable'>[],
): UnreadablePart | null {
  const parts = new Set(readings.map(({ unreadable }) => unreadable))
  return (['date', 'times', 'zone'] as const).find((part) => parts.has(part)) ?? null
}

/** The same time in several zones is one time. */
function addTimesOfZones(
  first: readonly EventOccurrence[],
  readings: readonly (EventReading & { readonly zone: string })[],
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
  zoneOfCalendar: (calendar: number) => ZoneOf,
  { window, ownerAddresses, ownUidHost, work }: Settings & { readonly work: ReadingWork },
): EventReader {
  return (uid, all, ours = null) => {
    const { parts, missing } = limitEvent(all)
    work.spend(parts.reduce((count, { lines }) => count + 10 * lines.length, 0))
    const read = parseParts(parts, zoneOfCalendar, ownerAddresses)
    const appointmentId =
      read.find((event) => event.appointmentId !== null)?.appointmentId ?? ours ?? findOwn(uid, ownUidHost)
    const isInvitation = read.some((event) => event.isInvitation)
    // What somebody else organizes takes time as any other event, whatever it says.
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

/** An event that has a date, and no time in the window, concerns nobody. */
function findUnreadable(
  read: readonly (ParsedEvent | TimelessEvent)[],
  isCut: boolean,
  takesTime: boolean,
): UnreadablePart | null {
  if (read.some((event) => event.start === null && occupiesTime(event))) return 'date'
  if (!takesTime) return null
  const events = read.filter((event): event is ParsedEvent => event.start !== null)
  if (isCut || events.some(({ isReadable }) => !isReadable)) return 'times'
  return events.some(({ isZoneKnown }) => !isZoneKnown) ? 'zone' : null
}

/** A series first: its exceptions are on its clock where they name none. */
function parseParts(
  parts: readonly EventPart[],
  zoneOfCalendar: (calendar: number) => ZoneOf,
  ownerAddresses: ReadonlySet<string>,
): (ParsedEvent | TimelessEvent)[] {
  const parse = (part: EventPart, series: EventTime | null) => {
    const zoneOf = zoneOfCalendar(part.calendar)
    return part.kind === 'VFREEBUSY'
      ? parseFreeBusy(part, zoneOf)
      : [parseEvent(part, { zoneOf, ownerAddresses, series }) ?? []].flat()
  }
  const isException = ({ lines }: EventPart) => lines.some((line) => nameOf(line) === 'RECURRENCE-ID')
  const series = parts.filter((part) => !isException(part)).flatMap((part) => parse(part, null))
  const start = series.find((event) => event.start !== null)?.start ?? null
  return [...series, ...parts.filter(isException).flatMap((part) => parse(part, start))]
}

/** An event of which not all is read takes the whole window, unless it is known to take no time. Source: rule G25. */
function listAll(
  missing: 'components' | 'times',
  events: readonly ParsedEvent[],
  window: Interval,
): EventOccurrence[] {
  const takesTime = missing === 'components' || events.some(occupiesTime)
  return takesTime ? toWholeWindow(window) : []
}

/** One time instead of many of which not all are read; none of a window without length. */
export function toWholeWindow(window: Interval): EventOccurrence[] {
  return window.startMs < window.endMs ? [{ ...window, key: CONTINUOUS_KEY, isAllDay: false }] : []
}

function findOwn(uid: string, ownUidHost: string): string | null {
  const { appointmentId = '', host } = OWN_UID.exec(uid)?.groups ?? {}
  return host?.toLowerCase() === ownUidHost
    ? (findAppointmentProperty(appointmentId)?.appointmentId ?? null)
    : null
}
