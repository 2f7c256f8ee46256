import ICAL from 'ical.js'
import { DAY_MS, SECOND_MS } from '#core/shared/duration.ts'
import { isTabled, wallToEpochMs, zoneOffsets } from '#core/shared/zone-offsets.ts'
import { findAppointmentProperty } from '../own-events/appointment-property.ts'
import { isBusyEvent, isInvitation } from './busy-rules.ts'
import { type EventLines, parseComponent, splitLine } from './read-calendar-file.ts'
import type { ZoneOf } from './time-zone-names.ts'

/** A time of an event on the clocks of its zone. */
export type EventTime = {
  /** The clock reading, written as if it were UTC. */
  readonly wallMs: number
  /** Of a date: that of the calendar. */
  readonly zone: string
  readonly isDate: boolean
}

/** One VEVENT: an event, a series, or an exception of a series. */
export type ParsedEvent = {
  readonly start: EventTime
  /** How long it is: elapsed time, or of an all-day event whole days on the clock. */
  readonly lengthMs: number
  /** Of an exception: which occurrence it replaces. */
  readonly replaces: EventTime | null
  /** It replaces the later ones, too. */
  readonly isThisAndFuture: boolean
  readonly rules: readonly string[]
  readonly added: readonly { readonly start: EventTime; readonly lengthMs: number }[]
  readonly excluded: readonly EventTime[]
  readonly isBusy: boolean
  readonly isCancelled: boolean
  readonly title: string | null
  readonly appointmentId: string | null
  /** Of an event that we wrote. Source: rule G26. */
  readonly secret: string | null
  /** True when somebody else than the owner organizes it. */
  readonly isInvitation: boolean
}

/** An event that we wrote says so. */
export const APPOINTMENT_PROPERTY = 'X-MERIDIAN-APPOINTMENT'
const MAX_TITLE = 500
/** A line with longer parameters is not repaired: to look for a name in them takes the square of their length. */
const LONGEST_PARAMETERS = 1_000
const TIME_LINE = /^(?<name>DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)(?<parameters>;.*)?:(?<value>[^:]*)$/i

/**
 * Reads one VEVENT. Null when it cannot be read, which concerns nobody but itself.
 * `ownerAddresses`: email addresses of the owner, in lower case: by them an invitation that they declined is known.
 */
export function parseEvent(
  lines: EventLines,
  { zoneOf, ownerAddresses }: { readonly zoneOf: ZoneOf; readonly ownerAddresses: ReadonlySet<string> },
): ParsedEvent | null {
  try {
    const others = lines.filter((line) => splitLine(line).name !== 'RRULE').map(repairTime)
    const event = parseComponent('VEVENT', others) ?? parseComponent('VEVENT', others.filter(isReadable))
    const startProperty = event?.getFirstProperty('dtstart')
    if (!event || !startProperty) return null
    const start = toTime(startProperty, startProperty.getFirstValue(), zoneOf)
    if (start === null) return null
    const lengthMs = lengthOf(event, start, zoneOf)
    const replaces = event.getFirstProperty('recurrence-id')
    const named = findAppointmentProperty(textOf(event, APPOINTMENT_PROPERTY.toLowerCase()))
    return {
      start,
      lengthMs,
      replaces: replaces ? toTime(replaces, replaces.getFirstValue(), zoneOf) : null,
      isThisAndFuture: String(replaces?.getParameter('range') ?? '').toUpperCase() === 'THISANDFUTURE',
      rules: lines
        .map(splitLine)
        .flatMap(({ name, value }) => (name === 'RRULE' && value !== '' ? [value] : [])),
      added: event.getAllProperties('rdate').flatMap((property) => listAdded(property, lengthMs, zoneOf)),
      excluded: event.getAllProperties('exdate').flatMap((property) => listTimes(property, zoneOf)),
      isBusy: isBusyEvent(event, ownerAddresses),
      isCancelled: textOf(event, 'status').toUpperCase() === 'CANCELLED',
      title: textOf(event, 'summary').trim().slice(0, MAX_TITLE) || null,
      appointmentId: named?.appointmentId ?? null,
      secret: named?.secret ?? null,
      isInvitation: isInvitation(event, ownerAddresses),
    }
  } catch {
    return null
  }
}

/** The instant of a time of an event. NaN outside the years 1970 to 2200, in which nobody books. */
export function toInstantMs({ wallMs, zone }: Pick<EventTime, 'wallMs' | 'zone'>): number {
  if (!isTabled(wallMs - 2 * DAY_MS) || !isTabled(wallMs + 2 * DAY_MS)) return Number.NaN
  const nearMs = toNearYears(wallMs)
  const offsets = zoneOffsets(zone, nearMs - 2 * DAY_MS, nearMs + 2 * DAY_MS)
  return wallToEpochMs(offsets, nearMs) + wallMs - nearMs
}

/** The calendar comes back after 28 years, with its leap year and the days of the week. */
const CYCLE_MS = 28 * 365.25 * DAY_MS
/** The years of which all offsets of a zone fit into one table. */
const NEAR = { startMs: Date.UTC(2014, 0, 1), endMs: Date.UTC(2046, 0, 1) }

/**
 * A clock reading with the same offset in years that are near. An event that leaps between far years would have the table of a zone
 * worked out anew each time, and which offset it has there makes no difference: no copy goes that far.
 */
function toNearYears(wallMs: number): number {
  const before = Math.max(0, Math.ceil((NEAR.startMs - wallMs) / CYCLE_MS))
  const after = Math.max(0, Math.ceil((wallMs - NEAR.endMs + 1) / CYCLE_MS))
  return wallMs + (before - after) * CYCLE_MS
}

/**
 * Some programs write a date without saying that it is one, and a zone with a colon without quotes:
 * `DTSTART;TZID=(GMT+01:00) Berlin:20270105T090000`. The value of a time has no colon.
 */
function repairTime(line: string): string {
  const { name, parameters = '', value = '' } = TIME_LINE.exec(line)?.groups ?? {}
  if (name === undefined || parameters.length > LONGEST_PARAMETERS) return line
  const quoted = parameters.replace(/TZID=([^";]*:[^";]*)/i, 'TZID="$1"')
  const isBareDate = /^\d{8}(,\d{8})*$/.test(value) && !/;VALUE=/i.test(parameters)
  return `${name}${quoted}${isBareDate ? ';VALUE=DATE' : ''}:${value}`
}

function isReadable(line: string): boolean {
  return parseComponent('VEVENT', [line]) !== null
}

function textOf(event: ICAL.Component, name: string): string {
  const value = event.getFirstPropertyValue(name)
  return value === null || value === undefined ? '' : String(value)
}

function toTime(property: ICAL.Property, value: unknown, zoneOf: ZoneOf): EventTime | null {
  if (!(value instanceof ICAL.Time)) return null
  const { year, month, day, hour, minute, second, isDate } = value
  const wallMs = isDate
    ? Date.UTC(year, month - 1, day)
    : Date.UTC(year, month - 1, day, hour, minute, second)
  if (!Number.isFinite(wallMs)) return null
  if (isDate) return { wallMs, zone: zoneOf(null), isDate }
  const tzid = property.getParameter('tzid')
  const isUtc = value.zone === ICAL.Timezone.utcTimezone
  return { wallMs, zone: isUtc ? 'UTC' : zoneOf(typeof tzid === 'string' ? tzid : null), isDate }
}

/** An event without an end takes its day, or no time. Source: RFC 5545 §3.6.1. */
function lengthOf(event: ICAL.Component, start: EventTime, zoneOf: ZoneOf): number {
  const endProperty = event.getFirstProperty('dtend')
  const end = endProperty ? toTime(endProperty, endProperty.getFirstValue(), zoneOf) : null
  if (end !== null) return lengthBetween(start, end)
  const duration = event.getFirstPropertyValue('duration')
  const durationMs = duration instanceof ICAL.Duration ? duration.toSeconds() * SECOND_MS : 0
  return start.isDate ? wholeDays(durationMs) : Math.max(0, durationMs)
}

function lengthBetween(start: EventTime, end: EventTime): number {
  if (start.isDate) return wholeDays(end.wallMs - start.wallMs)
  return Math.max(0, toInstantMs(end) - toInstantMs(start))
}

/** Programs that end an all-day event on the day of its start mean that day. */
function wholeDays(ms: number): number {
  return Math.max(1, Math.ceil(ms / DAY_MS)) * DAY_MS
}

function listTimes(property: ICAL.Property, zoneOf: ZoneOf): EventTime[] {
  return property.getValues().flatMap((value: unknown) => toTime(property, value, zoneOf) ?? [])
}

function listAdded(property: ICAL.Property, lengthMs: number, zoneOf: ZoneOf) {
  return property.getValues().flatMap((value: unknown) => {
    const start = toTime(property, value instanceof ICAL.Period ? value.start : value, zoneOf)
    if (start === null) return []
    if (!(value instanceof ICAL.Period)) return [{ start, lengthMs }]
    return [{ start, lengthMs: Math.max(0, value.getDuration().toSeconds() * SECOND_MS) }]
  })
}
