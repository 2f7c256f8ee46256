import { DAY_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import type { EventOccurrence } from '#server/ports/external-calendar.ts'
import { type EventTime, isUncertainTime, toInstantMs, toWallMs, UTC_ZONE } from './event-zones.ts'
import { expandRecurrenceRule, toMaxStepsPerRule } from './expand-recurrence-rule.ts'
import type { ParsedEvent } from './parse-event.ts'
import {
  isOccurrenceReferenced,
  type ReferencedOccurrences,
  toReferencedDay,
  toReferencedOccurrences,
} from './referenced-occurrences.ts'
import { type EventDuration, isNegativeDuration } from './time-values.ts'
import type { WorkCounter } from './work-counter.ts'

/** An occurrence before exceptions are applied; exceptions refer to it by the instant `idMs`. */
type Candidate = { readonly idMs: number; readonly start: EventTime; readonly length: EventDuration }

/** The changes by an event's exceptions, computed once for all occurrences. */
type Changes = {
  readonly isEmpty: boolean
  /** Occurrences of timed series that exceptions replace. */
  readonly replacedTimes: ReferencedOccurrences
  /** Occurrences of all-day series that exceptions replace. */
  readonly replacedDays: ReferencedOccurrences
  /** THISANDFUTURE exceptions, by the instant from which each applies. */
  readonly future: readonly Future[]
}
type Future = { readonly exception: ParsedEvent; readonly fromMs: number }

/** Margin around the window: an event can begin in a different zone from the window's, and clocks can change. */
const ZONES_APART_MS = 2 * DAY_MS

/** Busy times are cut to the years between this date and the next one. Nobody books outside them. */
const FIRST_MS = Date.UTC(1970, 0, 1)
const LAST_MS = Date.UTC(2201, 0, 1)

/**
 * Lists the times that an event occupies within a window: its occurrences without excluded and cancelled ones, moved
 * ones at their new time. `events` are the components of one UID, later versions last. Our own events are listed even
 * when they are not busy (rule G5). Listing a larger window and cutting the result to this one gives the same times, so
 * a sync and a check before a booking agree. Source: rules G3 and G4.
 * @throws CalendarTooLargeError
 */
export function listOccurrences(
  events: readonly ParsedEvent[],
  window: Interval,
  work: WorkCounter,
): EventOccurrence[] {
  const series = events.filter(({ replaces }) => replaces === null)
  const { exceptions, future } = toNewest(
    events.filter(({ replaces }) => replaces !== null),
    series,
  )
  const changes = toChanges(exceptions, future, series)
  const maxSteps = toMaxStepsPerRule(
    series.reduce((count, { rules, excludedRules }) => count + rules.length + excludedRules.length, 0),
  )
  const found = [
    // Some programs use one UID for many events, so the keys of all but the first get a prefix.
    ...series.flatMap((one, index) =>
      listOfSeries(one, changes, { window, maxSteps, work, prefix: index === 0 ? '' : `${index} ` }),
    ),
    ...exceptions.flatMap((exception) => toOccurrence(exception) ?? []),
  ]
  const byKey = new Map<string, EventOccurrence>()
  for (const occurrence of found) {
    const other = byKey.get(occurrence.key)
    // Of several occurrences with the same start, keep the longest.
    if (other === undefined || other.endMs < occurrence.endMs) byKey.set(occurrence.key, occurrence)
  }
  // An appointment's event keeps its time even when it was moved outside the window.
  const isOurs = events.some(({ appointmentId }) => appointmentId !== null)
  return [...byKey.values()].flatMap((occurrence) => {
    const startMs = Math.max(occurrence.startMs, FIRST_MS)
    const endMs = Math.min(occurrence.endMs, LAST_MS)
    const isThere = startMs < endMs && (isOurs || overlaps(occurrence, window))
    return isThere ? [{ ...occurrence, startMs, endMs }] : []
  })
}

type Frame = {
  readonly window: Interval
  readonly maxSteps: number
  readonly work: WorkCounter
  readonly prefix: string
}

/** Key of one busy time that stands for many occurrences; exceptions cannot refer to it. */
export const CONTINUOUS_OCCURRENCE_KEY = 'without a gap'

/**
 * Keeps only the latest version of each exception. Of two exceptions of one occurrence, the later version applies, even
 * when it occupies no time.
 */
function toNewest(
  all: readonly ParsedEvent[],
  series: readonly ParsedEvent[],
): { readonly exceptions: readonly ParsedEvent[]; readonly future: readonly ParsedEvent[] } {
  const dayZone = series.find(({ start }) => start.isDate)?.start.zone ?? null
  const nameOf = ({ replaces, start }: ParsedEvent) => {
    const time = replaces ?? start
    if (time.isDate) return `day ${time.wallMs / DAY_MS}`
    return dayZone === null ? `time ${toInstantMs(time)}` : `day ${toReferencedDay(time, dayZone)}`
  }
  const future = all.filter(({ isThisAndFuture }) => isThisAndFuture)
  const newestOf = (events: readonly ParsedEvent[]) => [
    ...new Map(events.map((event) => [nameOf(event), event])).values(),
  ]
  return { exceptions: newestOf(all), future: newestOf(future) }
}

function listOfSeries(series: ParsedEvent, changes: Changes, frame: Frame): EventOccurrence[] {
  const { window, prefix } = frame
  const isAlone = changes.isEmpty && series.rules.length === 0 && series.added.length === 0
  const { candidates, excludedWallMs, untilWallMs } = listCandidates(series, changes, frame)
  const excluded = toReferencedOccurrences(series.excluded, series.start.isDate ? series.start.zone : null)
  const replaced = series.start.isDate ? changes.replacedDays : changes.replacedTimes
  const occurrences = candidates.flatMap((candidate): EventOccurrence[] => {
    const named = { idMs: candidate.idMs, wallMs: candidate.start.wallMs }
    if (
      excludedWallMs.has(named.wallMs) ||
      isOccurrenceReferenced(excluded, named) ||
      isOccurrenceReferenced(replaced, named)
    )
      return []
    const there = applyFuture(candidate, series, changes)
    const id = isAlone ? '' : toId(candidate.idMs)
    return there === null ? [] : [{ ...there, key: `${prefix}${id}` }]
  })
  const whole = untilWallMs === null ? null : findWhole(series, changes, { window, untilWallMs })
  if (whole === null) return occurrences
  const others = occurrences.filter(({ startMs, endMs }) => startMs < whole.startMs || endMs > whole.endMs)
  return [
    ...others,
    { ...whole, key: `${prefix}${CONTINUOUS_OCCURRENCE_KEY}`, isAllDay: series.start.isDate },
  ]
}

/** Returns the key of an instant: its ISO date, or the number for a year that cannot be formatted as a date. */
function toId(ms: number): string {
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : String(ms)
}

function toChanges(
  exceptions: readonly ParsedEvent[],
  futureOnes: readonly ParsedEvent[],
  series: readonly ParsedEvent[],
): Changes {
  const replaced = exceptions.flatMap(({ replaces }) => replaces ?? [])
  // All dates are in the calendar's zone, so all all-day series share it.
  const dayZone = series.find(({ start }) => start.isDate)?.start.zone ?? null
  const future = futureOnes
    .map((exception) => ({ exception, fromMs: toInstantMs(exception.replaces ?? exception.start) }))
    .sort((a, b) => a.fromMs - b.fromMs)
  return {
    isEmpty: exceptions.length === 0,
    replacedTimes: toReferencedOccurrences(replaced, null),
    replacedDays: toReferencedOccurrences(dayZone === null ? [] : replaced, dayZone),
    future,
  }
}

/** True when an event or exception occupies time. Source: rules G3 and G5. */
export function occupiesTime({
  isBusy,
  isCancelled,
  appointmentId,
}: Pick<ParsedEvent, 'isBusy' | 'isCancelled' | 'appointmentId'>): boolean {
  return !isCancelled && (isBusy || appointmentId !== null)
}

type Candidates = {
  readonly candidates: readonly Candidate[]
  /** Starts that EXRULE excludes. */
  readonly excludedWallMs: ReadonlySet<number>
  /** The clock reading until which rules repeat continuously; null when no rule does. */
  readonly untilWallMs: number | null
}

function listCandidates(event: ParsedEvent, changes: Changes, { window, maxSteps, work }: Frame): Candidates {
  const { start, length } = event
  const within = findReach(event, changes, window)
  const expand = (rule: ParsedEvent['rules'][number]) =>
    expandRecurrenceRule(rule, { start, within, maxSteps, work })
  const repetitions = event.rules.map(expand)
  const untils = repetitions.flatMap((one) => (one.kind === 'dense' ? [one.untilWallMs] : []))
  const starts = repetitions.flatMap((one) => (one.kind === 'starts' ? one.wallMs : []))
  const excluded = event.excludedRules.map(expand)
  const added = event.added.toSorted((a, b) => a.start.wallMs - b.start.wallMs)
  work.spend(10 * (starts.length + added.length) + 10)
  return {
    candidates: [
      ...[start.wallMs, ...starts].map((wallMs) => toCandidate({ ...start, wallMs }, length)),
      ...added.map((one) => toCandidate(one.start, one.length)),
    ],
    excludedWallMs: new Set(excluded.flatMap((one) => (one.kind === 'starts' ? one.wallMs : []))),
    untilWallMs: untils.length === 0 ? null : Math.max(...untils),
  }
}

function toCandidate(start: EventTime, length: EventDuration): Candidate {
  return { idMs: toInstantMs(start), start, length }
}

/**
 * Returns the range of clock readings in which an occurrence must begin to occupy time in the window, including
 * occurrences that a THISANDFUTURE exception moves or lengthens.
 */
function findReach(series: ParsedEvent, { future }: Changes, window: Interval): Interval {
  const ofSeries = reachOf(series.start, series.length, 0, window)
  const reaches = future.flatMap(({ exception, fromMs }, index) => {
    const reach = reachOf(exception.start, exception.length, shiftOf(exception, series), window)
    const untilMs = future[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY
    const startMs = Math.max(reach.startMs, fromMs - ZONES_APART_MS)
    const endMs = Math.min(reach.endMs, untilMs + ZONES_APART_MS)
    return startMs < endMs ? [{ startMs, endMs }] : []
  })
  const all = [ofSeries, ...reaches]
  return {
    startMs: all.reduce((first, { startMs }) => Math.min(first, startMs), Number.POSITIVE_INFINITY),
    endMs: all.reduce((last, { endMs }) => Math.max(last, endMs), Number.NEGATIVE_INFINITY),
  }
}

function reachOf(
  { zone }: EventTime,
  { days, ms }: EventDuration,
  shiftMs: number,
  window: Interval,
): Interval {
  const longMs = Math.abs(days) * DAY_MS + Math.abs(ms)
  const isTurned = isNegativeDuration({ days, ms })
  const apartMs = ZONES_APART_MS + Math.abs(zone.earlyMs) + Math.abs(zone.lateMs)
  return {
    startMs: window.startMs - shiftMs - (isTurned ? 0 : longMs) - apartMs,
    endMs: window.endMs - shiftMs + (isTurned ? longMs : 0) + apartMs,
  }
}

/**
 * Returns one time for a rule that counts as continuous: from its first to its last occurrence within the window.
 * Exceptions free nothing of it; if a THISANDFUTURE exception exists, it occupies the whole window.
 */
function findWhole(
  series: ParsedEvent,
  { future }: Changes,
  { window, untilWallMs }: { readonly window: Interval; readonly untilWallMs: number },
): Interval | null {
  if (future.some(({ exception }) => occupiesTime(exception))) return whenLong(window)
  const { start, length } = series
  if (!occupiesTime(series) || (length.days === 0 && length.ms === 0)) return null
  const first = toInterval(start, length)
  const last = Number.isFinite(untilWallMs)
    ? toInterval({ ...start, wallMs: untilWallMs }, length).endMs
    : window.endMs
  return whenLong({
    startMs: Math.max(first.startMs, window.startMs),
    endMs: Math.min(last, window.endMs),
  })
}

/**
 * Returns the interval that an event occupies. If the end is before the start, the event occupies the time between
 * both.
 */
function toInterval(start: EventTime, { days, ms }: EventDuration): Interval {
  const startMs = toInstantMs(start)
  const endMs = (days === 0 ? startMs : toInstantMs({ ...start, wallMs: start.wallMs + days * DAY_MS })) + ms
  const { earlyMs, lateMs } = start.zone
  const isTurned = endMs < startMs
  // The start's day is included, whether the program meant the end as inclusive or exclusive.
  const last = isTurned && start.isDate ? toInstantMs({ ...start, wallMs: start.wallMs + DAY_MS }) : startMs
  const [from, until] = isTurned ? [endMs, last] : [startMs, endMs]
  return from === until ? { startMs: from, endMs: until } : { startMs: from - earlyMs, endMs: until + lateMs }
}

type Place = Interval & { readonly isAllDay: boolean }

/** Applies THISANDFUTURE exceptions to an occurrence. Returns null when the occurrence then occupies no time. */
function applyFuture(
  { idMs, start, length }: Candidate,
  series: ParsedEvent,
  { future }: Changes,
): Place | null {
  const before = findLastFrom(future, idMs)
  if (before === null) return occupiesTime(series) ? toPlace(start, length) : null
  const { exception } = before
  if (!occupiesTime(exception)) return null
  const { zone, isDate } = clockOf(exception, series)
  const wallMs = start.wallMs + shiftOf(exception, series)
  return toPlace(
    { wallMs: isDate ? Math.floor(wallMs / DAY_MS) * DAY_MS : wallMs, zone, isDate },
    exception.length,
  )
}

/**
 * Returns the zone of the occurrences after a THISANDFUTURE exception: the series' zone if the exception is merely
 * written in UTC, otherwise the exception's.
 */
function clockOf({ start }: ParsedEvent, series: ParsedEvent): Pick<EventTime, 'zone' | 'isDate'> {
  const isOnlyWritten =
    !start.isDate && !series.start.isDate && start.zone === UTC_ZONE && !isUncertainTime(series.start.zone)
  return isOnlyWritten ? { zone: series.start.zone, isDate: false } : start
}

/**
 * Returns the offset by which a THISANDFUTURE exception moves occurrences, measured between clock readings, so that
 * clock changes do not matter: from the old time in the series' zone to the new time in the exception's. Source: RFC
 * 5545 §3.8.4.4.
 */
function shiftOf(exception: ParsedEvent, series: ParsedEvent): number {
  const { replaces, start } = exception
  if (replaces === null) return 0
  const { zone } = clockOf(exception, series)
  const newMs = zone === start.zone ? start.wallMs : toWallMs(toInstantMs(start), zone)
  return newMs - oldReadingOf(replaces, series.start)
}

function oldReadingOf(replaces: EventTime, start: EventTime): number {
  const dayOf = (wallMs: number) => Math.floor(wallMs / DAY_MS) * DAY_MS
  if (replaces.isDate) return replaces.wallMs + (start.isDate ? 0 : start.wallMs - dayOf(start.wallMs))
  const wallMs = replaces.zone === start.zone ? replaces.wallMs : toWallMs(toInstantMs(replaces), start.zone)
  return start.isDate ? dayOf(wallMs) : wallMs
}

/** Finds the last exception that applies at an instant. Uses a binary search, because there can be thousands. */
function findLastFrom(future: readonly Future[], atMs: number): Future | null {
  let [low, high] = [0, future.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((future[middle]?.fromMs ?? Number.POSITIVE_INFINITY) <= atMs) low = middle + 1
    else high = middle
  }
  return future[low - 1] ?? null
}

function toOccurrence(exception: ParsedEvent): EventOccurrence | null {
  const there = occupiesTime(exception) ? toPlace(exception.start, exception.length) : null
  return there && { ...there, key: toId(toInstantMs(exception.replaces ?? exception.start)) }
}

function toPlace(start: EventTime, length: EventDuration): Place | null {
  const interval = whenLong(toInterval(start, length))
  return interval && { ...interval, isAllDay: start.isDate }
}

/** Returns null for an event of zero length, which occupies no time. Source: rule G3. */
function whenLong(interval: Interval): Interval | null {
  return interval.startMs < interval.endMs ? interval : null
}
