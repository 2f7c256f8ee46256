import type { Interval } from '#core/shared/interval.ts'
import type { EventOccurrence, ExternalEvent, ReaderZones } from '#server/ports/external-calendar.ts'
import { findAppointmentProperty } from '../own-events/appointment-property.ts'
import { boundEvent } from './bound-event.ts'
import { isTaken, listOccurrences, WITHOUT_GAP } from './list-occurrences.ts'
import { type ParsedEvent, parseEvent } from './parse-event.ts'
import type { CalendarFile, EventLines } from './read-calendar-file.ts'
import { buildZoneOf, findNamedZone } from './time-zone-names.ts'

/** What an event says, without what only its provider knows. */
export type EventReading = Pick<
  ExternalEvent,
  'title' | 'occurrences' | 'appointmentId' | 'secret' | 'isInvitation'
> & {
  /** The whole event, not one occurrence of it. */
  readonly isCancelled: boolean
}

/** `ours`: the appointment that the event is known to be of, by something else than what it says. */
export type EventReader = (
  uid: string,
  components: readonly EventLines[],
  ours?: string | null,
) => EventReading

/** Of an event that we wrote, the part of its UID before the @ is the appointment. */
const OWN_UID = /^(?<appointmentId>[0-9a-f-]{36})@(?<host>[^@]+)$/i

type Settings = {
  readonly window: Interval
  /** In lower case. */
  readonly ownerAddresses: ReadonlySet<string>
  readonly ownUidHost: string
}

/**
 * Builds what reads the events of a file. All-day events and floating times are in each of `timeZones`. `ownUidHost` is the host in
 * the UIDs of our emails: a calendar that took one of their files in has the appointment itself, which is no other time. Source: rules
 * G4 and G5.
 */
export function buildEventReader(
  file: Pick<CalendarFile, 'zoneDefinitions'>,
  { timeZones, ...settings }: Settings & { readonly timeZones: ReaderZones },
): EventReader {
  const [firstZone, ...otherZones] = timeZones
  const readFirst = buildReaderInZone(file, { ...settings, timeZone: firstZone })
  const others = otherZones.map(
    (timeZone) => [timeZone, buildReaderInZone(file, { ...settings, timeZone })] as const,
  )
  return (uid, components, ours = null) => {
    const first = readFirst(uid, components, ours)
    // An appointment has a single time.
    if (others.length === 0 || first.appointmentId !== null) return first
    const readings = others.map(([zone, read]) => ({ zone, ...read(uid, components, ours) }))
    return { ...first, occurrences: addTimesOfZones(first.occurrences, readings) }
  }
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
  file: Pick<CalendarFile, 'zoneDefinitions'>,
  { timeZone, window, ownerAddresses, ownUidHost }: Settings & { readonly timeZone: string },
): EventReader {
  const zoneOf = buildZoneOf({
    calendarZone: timeZone,
    definitions: file.zoneDefinitions,
    aroundMs: window.startMs,
  })
  return (uid, components, ours = null) => {
    const { parts, missing } = boundEvent(components)
    const read = parts.flatMap((lines) => parseEvent(lines, { zoneOf, ownerAddresses }) ?? [])
    const appointmentId =
      read.find((event) => event.appointmentId !== null)?.appointmentId ?? ours ?? findOwn(uid, ownUidHost)
    const isInvitation = read.some((event) => event.isInvitation)
    // What somebody else organizes takes time as any other event, whatever it says.
    const events = read.map((event) => ({ ...event, appointmentId: isInvitation ? null : appointmentId }))
    const isOurs = !isInvitation && read.some(({ isBusy, isCancelled }) => isBusy && !isCancelled)
    return {
      title: (events.find(({ replaces }) => replaces === null) ?? events[0])?.title ?? null,
      occurrences: missing === 'nothing' ? listOccurrences(events, window) : listAll(missing, events, window),
      appointmentId,
      secret: isOurs ? (read.find(({ secret }) => secret !== null)?.secret ?? null) : null,
      isInvitation,
      isCancelled:
        missing !== 'components' && events.length > 0 && events.every((event) => event.isCancelled),
    }
  }
}

/** An event of which not all is read takes the whole window, unless it is known to take no time. Source: rule G25. */
function listAll(
  missing: 'components' | 'times',
  events: readonly ParsedEvent[],
  window: Interval,
): EventOccurrence[] {
  const takesTime = missing === 'components' || events.some(isTaken)
  return takesTime ? takeWhole(window) : []
}

/** One time instead of many of which not all are read; none of a window without length. */
export function takeWhole(window: Interval): EventOccurrence[] {
  return window.startMs < window.endMs ? [{ ...window, key: WITHOUT_GAP, isAllDay: false }] : []
}

/** The zone that a file names for all of it, or else the one that was known. */
export function zoneOfFile({ zoneName, zoneDefinitions }: CalendarFile): string | null {
  const named = zoneName === null ? null : findNamedZone(zoneName)
  if (named !== null) return named
  const [only, ...others] = [...zoneDefinitions.keys()].flatMap((tzid) => findNamedZone(tzid) ?? [])
  return others.length === 0 ? (only ?? null) : null
}

function findOwn(uid: string, ownUidHost: string): string | null {
  const { appointmentId = '', host } = OWN_UID.exec(uid)?.groups ?? {}
  return host?.toLowerCase() === ownUidHost
    ? (findAppointmentProperty(appointmentId)?.appointmentId ?? null)
    : null
}
