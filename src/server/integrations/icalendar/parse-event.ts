import { DAY_MS } from '#core/shared/duration.ts'
import { findAppointmentProperty } from '../own-events/appointment-property.ts'
import { findPropertyText, isBusyEvent, isInvitation } from './busy-rules.ts'
import { type ContentLine, parseContentLine, unescapeText } from './content-line.ts'
import {
  buildFixedZone,
  type EventTime,
  type EventZone,
  isUncertainTime,
  toInstantMs,
  toWallMs,
  UTC_ZONE,
} from './event-zones.ts'
import { findUntilMs } from './expand-recurrence-rule.ts'
import type { EventComponent } from './read-calendar-file.ts'
import { parseRecurrenceRule, type RecurrenceRule } from './recurrence-rule.ts'
import {
  type EventDuration,
  readDuration,
  readTimeValue,
  type TimeValue,
  ZERO_DURATION,
} from './time-values.ts'
import type { ResolveZone } from './zone-resolver.ts'

/** One VEVENT with a known time: an event, a series, or an exception of a series. */
export type ParsedEvent = {
  readonly start: EventTime
  /** The length is negative when the end is before the start: the event then occupies the time between both. */
  readonly length: EventDuration
  /** For an exception: the occurrence that it replaces. */
  readonly replaces: EventTime | null
  /** True when the exception also replaces later occurrences (THISANDFUTURE). */
  readonly isThisAndFuture: boolean
  readonly rules: readonly RecurrenceRule[]
  /** Rules of occurrences to exclude: EXRULE of RFC 2445. */
  readonly excludedRules: readonly RecurrenceRule[]
  readonly added: readonly { readonly start: EventTime; readonly length: EventDuration }[]
  readonly excluded: readonly EventTime[]
  readonly isBusy: boolean
  readonly isCancelled: boolean
  readonly title: string | null
  readonly appointmentId: string | null
  /** The secret of an event that we wrote. Source: rule G27. */
  readonly secret: string | null
  /** True when somebody other than the owner organizes the event. */
  readonly isInvitation: boolean
  /**
   * False when a part of the event is unreadable. The event then occupies all the time that could be meant. Source:
   * rule G30.
   */
  readonly isReadable: boolean
  /**
   * False when a time of the event is in an uncertain zone. The event then also occupies all the time that could be
   * meant.
   */
  readonly isZoneKnown: boolean
}

/** A VEVENT whose time cannot be determined. */
export type EventWithoutTime = Pick<
  ParsedEvent,
  'isBusy' | 'isCancelled' | 'title' | 'appointmentId' | 'secret' | 'isInvitation'
> & {
  readonly start: null
}

/** Property that marks events written by us. */
export const APPOINTMENT_PROPERTY = 'X-MERIDIAN-APPOINTMENT'
const MAX_TITLE = 500

type Settings = {
  readonly zoneOf: ResolveZone
  /** The owner's email addresses in lower case, used to recognise invitations that the owner declined. */
  readonly ownerAddresses: ReadonlySet<string>
  /**
   * Start of the series that this event is an exception of; null for other events, and when the file does not contain
   * the series.
   */
  readonly series: EventTime | null
}

/** Parses one VEVENT; null when it has no time. An unreadable value stands for every time that it could mean. */
export function parseEvent(
  { lines: texts }: EventComponent,
  { zoneOf, ownerAddresses, series }: Settings,
): ParsedEvent | EventWithoutTime | null {
  const lines = texts.map(parseContentLine)
  const about = parseEventDetails(lines, ownerAddresses)
  const seriesZone = series === null || series.isDate ? null : series.zone
  const find = (name: string) => lines.find((line) => line.name === name) ?? null
  const named = find('RECURRENCE-ID')
  const without = seriesZone ?? zoneOf(find('DTEND')?.parameters.get('TZID') ?? null)
  // An exception without a start keeps the time of the occurrence that it replaces.
  const given = toTimeOf(find('DTSTART') ?? named, { zoneOf, without })
  const span = given === null ? spanBeforeEnd(find('DTEND'), zoneOf) : toSpan(given, lines, zoneOf)
  if (span === null) return hasContent(lines) ? { ...about, start: null } : null
  const { start } = span
  const replaces = toTimeOf(named, { zoneOf, without: seriesZone ?? start.zone })
  const repetition = readRepetition(lines, { ...span, zoneOf })
  return {
    ...about,
    ...repetition,
    start,
    length: span.length,
    replaces: toName(replaces, seriesZone ?? start.zone),
    isThisAndFuture: named?.parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    isReadable:
      span.isReadable &&
      repetition.isReadable &&
      (named === null || (replaces !== null && hasTime(replaces))),
    isZoneKnown: span.isZoneKnown && repetition.isZoneKnown && haveKnownZones([replaces]),
  }
}

/** Parses the properties of a component other than its times. */
export function parseEventDetails(
  lines: readonly ContentLine[],
  ownerAddresses: ReadonlySet<string>,
): Omit<EventWithoutTime, 'start'> {
  const named = findAppointmentProperty(findPropertyText(lines, APPOINTMENT_PROPERTY))
  const title = unescapeText(findPropertyText(lines, 'SUMMARY') ?? '').trim()
  return {
    isBusy: isBusyEvent(lines, ownerAddresses),
    isCancelled: (findPropertyText(lines, 'STATUS') ?? '').toUpperCase() === 'CANCELLED',
    title: title.slice(0, MAX_TITLE) || null,
    appointmentId: named?.appointmentId ?? null,
    secret: named?.secret ?? null,
    isInvitation: isInvitation(lines, ownerAddresses),
  }
}

type Repetition = Pick<
  ParsedEvent,
  'rules' | 'excludedRules' | 'added' | 'excluded' | 'isReadable' | 'isZoneKnown'
>

function readRepetition(
  lines: readonly ContentLine[],
  { start, length, zoneOf }: Pick<ParsedEvent, 'start' | 'length'> & { readonly zoneOf: ResolveZone },
): Repetition {
  const added = listDates(lines, 'RDATE').map((one) => toAdded(one, { start, length, zoneOf }))
  const excluded = listDates(lines, 'EXDATE').map(({ line, text }) =>
    toTime(line, text, { zoneOf, without: start.zone }),
  )
  const rulesOf = (wanted: string) =>
    lines.flatMap(({ name, value }) => (name === wanted && value !== '' ? [parseRecurrenceRule(value)] : []))
  const isClear = (rule: RecurrenceRule) =>
    rule.isReadable && (rule.until === null || findUntilMs(rule, start) !== null)
  const [rules, excludedRules] = [rulesOf('RRULE'), rulesOf('EXRULE')]
  const times = [...excluded, ...added.map((one) => one?.start ?? null)]
  return {
    rules,
    // Drop unreadable exclusions: they must not free any time that could be busy.
    excludedRules: excludedRules.filter(isClear),
    added: added.filter((one) => one !== null),
    excluded: excluded.flatMap((one) =>
      one === null || one.isDayOnly || isInOtherUncertainZone(one, start) ? [] : [one],
    ),
    isReadable:
      [...rules, ...excludedRules].every(isClear) && times.every((time) => time !== null && hasTime(time)),
    isZoneKnown: haveKnownZones(times),
  }
}

function hasTime({ isDayOnly = false }: ReadTime): boolean {
  return !isDayOnly
}

function haveKnownZones(times: readonly (EventTime | null)[]): boolean {
  return times.every((time) => time === null || !isUncertainTime(time.zone))
}

/**
 * Resolves a time in a reference to an occurrence of a series in this zone; null when the time could refer to several
 * occurrences.
 */
function toName(time: ReadTime | null, zone: EventZone): EventTime | null {
  return time === null || time.isDayOnly || isInOtherUncertainZone(time, { zone }) ? null : time
}

/** True when a component is an event: it has a time or a title. */
function hasContent(lines: readonly ContentLine[]): boolean {
  return lines.some(({ name }) => ['DTSTART', 'DTEND', 'SUMMARY'].includes(name))
}

/**
 * A parsed time. `isDayOnly` is true if the time of day could not be read; the value is then midnight at the start of
 * that day.
 */
type ReadTime = EventTime & { readonly isDayOnly?: boolean }

type TimeSettings = { readonly zoneOf: ResolveZone; readonly without: EventZone }

function toTimeOf(line: ContentLine | null, settings: TimeSettings): ReadTime | null {
  return line === null ? null : toTime(line, line.value, settings)
}

/**
 * Places a parsed value in a zone. Dates are in their calendar's zone. A time without a zone uses the zone of the start
 * (`without`), because nobody means one event to use two clocks.
 */
function toTime(
  { parameters }: ContentLine,
  text: string,
  { zoneOf, without }: TimeSettings,
): ReadTime | null {
  const value = readTimeValue(text)
  if (value === null) return null
  const isMidnight = value.kind === 'time' && value.wallMs % DAY_MS === 0
  const saysDate = parameters.get('VALUE')?.toUpperCase() === 'DATE'
  if (value.kind === 'date' || (isMidnight && saysDate)) {
    return { wallMs: value.wallMs, zone: zoneOf(null), isDate: true }
  }
  const tzid = parameters.get('TZID') ?? ''
  const zone = zoneOfValue(value) ?? (tzid === '' ? without : zoneOf(tzid))
  return { wallMs: value.wallMs, zone, isDate: false, ...(value.kind === 'day' && { isDayOnly: true }) }
}

function zoneOfValue({ offsetMs }: TimeValue): EventZone | null {
  if (offsetMs === null) return null
  return offsetMs === 0 ? UTC_ZONE : buildFixedZone(offsetMs)
}

type Span = Pick<ParsedEvent, 'start' | 'length' | 'isReadable' | 'isZoneKnown'>

/**
 * Returns the start and length of an event. Without an end, an event occupies its whole day, or no time if it has a
 * time of day. Source: RFC 5545 §3.6.1.
 */
function toSpan(given: ReadTime, lines: readonly ContentLine[], zoneOf: ResolveZone): Span {
  const { isDayOnly = false, ...start } = given
  const endLine = lines.find(({ name }) => name === 'DTEND') ?? null
  const end = endLine && toTime(endLine, endLine.value, { zoneOf, without: start.zone })
  const durationText = findPropertyText(lines, 'DURATION') ?? null
  const duration = durationText === null ? null : readDuration(durationText)
  const isReadable =
    !isDayOnly &&
    (endLine === null || (end !== null && hasTime(end))) &&
    (end !== null || durationText === null || duration !== null)
  const clarity = { isReadable, isZoneKnown: haveKnownZones([start, end]) }
  const longest = findLongest(given, end, duration)
  if (longest !== null) return { start, length: longest, ...clarity }
  const isUnknown = endLine !== null || durationText !== null
  return {
    start,
    length: isUnknown || isDayOnly ? untilMidnight(given) : start.isDate ? ONE_DAY : ZERO_DURATION,
    ...clarity,
  }
}

/** Returns the longer of an event's end and duration. An event must not have both. */
function findLongest(
  start: ReadTime,
  end: ReadTime | null,
  duration: EventDuration | null,
): EventDuration | null {
  const byEnd = end === null ? null : lengthBetween(start, end)
  const byDuration = duration === null ? null : lengthOfDuration(start, duration)
  if (byEnd === null || byDuration === null) return byEnd ?? byDuration
  return toMs(byEnd) < toMs(byDuration) ? byDuration : byEnd
}

function toMs({ days, ms }: EventDuration): number {
  return days * DAY_MS + ms
}

const ONE_DAY: EventDuration = { days: 1, ms: 0 }

/** Returns the length until the end of the start's day, used for an event with an unreadable end. */
function untilMidnight({ wallMs, isDate }: ReadTime): EventDuration {
  const ofDay = ((wallMs % DAY_MS) + DAY_MS) % DAY_MS
  return isDate || ofDay === 0 ? ONE_DAY : { days: 0, ms: DAY_MS - ofDay }
}

function lengthBetween(start: ReadTime, end: ReadTime): EventDuration {
  if (start.isDate) return wholeDays(start, end)
  const endWall = end.isDayOnly ? end.wallMs + DAY_MS : end.wallMs
  const ms = elapsedBetween(start, { ...end, wallMs: endWall })
  // If the end is a date and the start has a time, the event ends before that date, or, if it starts on that date, at
  // the end of it.
  if (end.isDate && ms <= 0)
    return { days: 0, ms: elapsedBetween(start, { ...end, wallMs: endWall + DAY_MS }) }
  return start.isDayOnly && ms <= 0 ? ONE_DAY : { days: 0, ms }
}

/** Returns the elapsed time between two times; if the zones are uncertain, the longest possible. */
function elapsedBetween(start: EventTime, end: EventTime): number {
  const apart = end.zone === start.zone ? 0 : end.zone.lateMs - start.zone.lateMs
  return toInstantMs(end) - toInstantMs(start) + apart
}

/**
 * Returns the length of an all-day event. If it ends on its start date, the program meant that day. If it ends before
 * its start, the event occupies the days between both, including the start's day.
 */
function wholeDays(start: EventTime, end: EventTime): EventDuration {
  const days = Math.ceil((end.wallMs - start.wallMs) / DAY_MS)
  if (days >= 0) return { days: Math.max(1, days), ms: 0 }
  return { days, ms: 0 }
}

function lengthOfDuration(start: ReadTime, { days, ms }: EventDuration): EventDuration {
  if (start.isDayOnly) return { days: Math.abs(days) + 1, ms: Math.abs(ms) }
  if (!start.isDate) return { days, ms }
  return { days: Math.max(1, Math.ceil(Math.abs(days + ms / DAY_MS))), ms: 0 }
}

/**
 * Returns the span of an event with an unreadable start: from the beginning of the day on which it ends until its end.
 */
function spanBeforeEnd(line: ContentLine | null, zoneOf: ResolveZone): Span | null {
  const end = line && toTime(line, line.value, { zoneOf, without: zoneOf(null) })
  if (end === null) return null
  const endMs = end.isDayOnly ? end.wallMs + DAY_MS : end.wallMs
  const wallMs = Math.floor((endMs - 1) / DAY_MS) * DAY_MS
  const start = { wallMs, zone: end.zone, isDate: end.isDate }
  const length = end.isDate ? ONE_DAY : { days: 0, ms: endMs - wallMs }
  return { start, length, isReadable: false, isZoneKnown: haveKnownZones([end]) }
}

type DateText = { readonly line: ContentLine; readonly text: string }

function listDates(lines: readonly ContentLine[], name: string): DateText[] {
  return lines.flatMap((line) =>
    line.name === name
      ? line.value.split(',').flatMap((text) => (text.trim() === '' ? [] : [{ line, text }]))
      : [],
  )
}

type Added = { readonly start: ReadTime; readonly length: EventDuration }

/**
 * Converts an RDATE. A date added to a timed series gets the time of the series' start; a time added to an all-day
 * series means its day.
 */
function toAdded(
  { line, text }: DateText,
  {
    start,
    length,
    zoneOf,
  }: { readonly start: EventTime; readonly length: EventDuration; readonly zoneOf: ResolveZone },
): Added | null {
  const [startText = '', endText] = text.split('/')
  const added = toTime(line, startText, { zoneOf, without: start.zone })
  if (added === null) return null
  if (added.isDayOnly) return { start: added, length: ONE_DAY }
  if (endText !== undefined) {
    const end = toTime(line, endText, { zoneOf, without: added.zone })
    const given = end === null ? readDuration(endText) : lengthBetween(added, end)
    return given === null
      ? { start: { ...added, isDayOnly: true }, length: untilMidnight(added) }
      : { start: added, length: given }
  }
  if (added.isDate === start.isDate) return { start: added, length }
  if (start.isDate) {
    const wallMs = Math.floor(toWallMs(toInstantMs(added), start.zone) / DAY_MS) * DAY_MS
    return { start: { wallMs, zone: start.zone, isDate: true }, length }
  }
  const ofDay = ((start.wallMs % DAY_MS) + DAY_MS) % DAY_MS
  return { start: { wallMs: added.wallMs + ofDay, zone: start.zone, isDate: false }, length }
}

/** Parses the periods of a VFREEBUSY, which are in UTC or name their zone. */
export function parseFreeBusyTimes(
  lines: readonly ContentLine[],
  zoneOf: ResolveZone,
): Pick<ParsedEvent, 'isReadable' | 'isZoneKnown'> & { readonly times: ParsedEvent['added'] } {
  const start = { wallMs: 0, zone: zoneOf(null), isDate: false }
  const read = listDates(lines, 'FREEBUSY').map((one) => toAdded(one, { start, length: ONE_DAY, zoneOf }))
  const times = read.filter((one) => one !== null)
  return {
    times,
    isReadable: times.length === read.length && times.every(({ start }) => hasTime(start)),
    isZoneKnown: haveKnownZones(times.map(({ start }) => start)),
  }
}

/**
 * True when a time cannot be compared with a series, because it is in an unknown zone other than the series' zone. Such
 * a time excludes and replaces nothing.
 */
function isInOtherUncertainZone(time: EventTime, start: Pick<EventTime, 'zone'>): boolean {
  return isUncertainTime(time.zone) && time.zone !== start.zone
}
