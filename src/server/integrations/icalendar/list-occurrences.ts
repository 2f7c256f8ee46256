import { DAY_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import type { EventOccurrence } from '#server/ports/external-calendar.ts'
import { expandRule } from './expand-rule.ts'
import { type EventTime, type ParsedEvent, toInstantMs } from './parse-event.ts'

/** One occurrence before exceptions: `idMs` is the instant by which exceptions name it. */
type Candidate = { readonly idMs: number; readonly wallMs: number; readonly interval: Interval }

/** An event may begin in another zone than the window is in. */
const ZONES_APART_MS = 2 * DAY_MS

/**
 * Lists the times that an event takes within a window: its occurrences, without the excluded and cancelled ones, and with moved ones
 * at their new time. `events` are the components of one UID. An event that we wrote is listed although it is not busy (rule G5).
 * Source: rules G3 and G4.
 */
export function listOccurrences(events: readonly ParsedEvent[], window: Interval): EventOccurrence[] {
  const exceptions = events.filter(({ replaces }) => replaces !== null)
  const series = events.filter(({ replaces }) => replaces === null)
  const found = [
    // Some programs give one UID to many events.
    ...series.flatMap((one, index) => listOfSeries(one, index === 0 ? '' : `${index} `, exceptions, window)),
    ...exceptions.flatMap((exception) => toOccurrence(exception) ?? []),
  ]
  const byKey = new Map(found.map((occurrence) => [occurrence.key, occurrence]))
  // One of ours that was moved far away is still where it is.
  const isOurs = events.some(({ appointmentId }) => appointmentId !== null)
  return [...byKey.values()].filter((occurrence) => isOurs || overlaps(occurrence, window))
}

function listOfSeries(
  series: ParsedEvent,
  prefix: string,
  exceptions: readonly ParsedEvent[],
  window: Interval,
): EventOccurrence[] {
  const isAlone = exceptions.length === 0 && series.rules.length === 0 && series.added.length === 0
  return listCandidates(series, window).flatMap((candidate) => {
    if (Number.isNaN(candidate.idMs) || isExcluded(candidate, series, exceptions)) return []
    const interval = shiftByFuture(candidate, series, exceptions)
    const id = isAlone ? '' : new Date(candidate.idMs).toISOString()
    return interval === null ? [] : [{ ...interval, key: `${prefix}${id}`, isAllDay: series.start.isDate }]
  })
}

function isTaken({ isBusy, isCancelled, appointmentId }: ParsedEvent): boolean {
  return !isCancelled && (isBusy || appointmentId !== null)
}

function listCandidates(event: ParsedEvent, window: Interval): Candidate[] {
  const within = {
    startMs: window.startMs - event.lengthMs - ZONES_APART_MS,
    endMs: window.endMs + ZONES_APART_MS,
  }
  const { start } = event
  const candidates = [toCandidate(start, start.wallMs, event.lengthMs)]
  for (const rule of event.rules) {
    const repetitions = expandRule(rule, { startWallMs: start.wallMs, zone: start.zone, within })
    if (repetitions.kind === 'starts') {
      candidates.push(...repetitions.wallMs.map((wallMs) => toCandidate(start, wallMs, event.lengthMs)))
    } else {
      candidates.push(...toOneTime(event, window, repetitions.untilWallMs))
    }
  }
  for (const added of event.added) {
    candidates.push(toCandidate(added.start, added.start.wallMs, added.lengthMs))
  }
  return candidates
}

function toCandidate(
  { zone, isDate }: Pick<EventTime, 'zone' | 'isDate'>,
  wallMs: number,
  lengthMs: number,
): Candidate {
  const startMs = toInstantMs({ wallMs, zone })
  const endMs = isDate ? toInstantMs({ wallMs: wallMs + lengthMs, zone }) : startMs + lengthMs
  return { idMs: startMs, wallMs, interval: { startMs, endMs } }
}

/** A rule that repeats all the time takes the time from its first to its last occurrence, as far as the window goes. */
function toOneTime({ start, lengthMs }: ParsedEvent, window: Interval, untilWallMs: number): Candidate[] {
  const untilMs = Number.isFinite(untilWallMs)
    ? toInstantMs({ wallMs: untilWallMs, zone: start.zone })
    : window.endMs
  const startMs = Math.max(toInstantMs(start), window.startMs)
  const endMs = Math.min((Number.isNaN(untilMs) ? window.endMs : untilMs) + lengthMs, window.endMs)
  return lengthMs > 0 && startMs < endMs
    ? [{ idMs: startMs, wallMs: startMs, interval: { startMs, endMs } }]
    : []
}

/** Whether a date was excluded, or an exception of its own replaces it. */
function isExcluded(candidate: Candidate, series: ParsedEvent, exceptions: readonly ParsedEvent[]): boolean {
  return (
    series.excluded.some((time) => names(time, candidate, series)) ||
    exceptions.some(({ replaces }) => replaces !== null && names(replaces, candidate, series))
  )
}

/** Whether a time of an EXDATE or RECURRENCE-ID means this occurrence. Programs mix dates and times. */
function names(time: EventTime, { idMs, wallMs }: Candidate, { start }: ParsedEvent): boolean {
  const day = Math.floor(wallMs / DAY_MS)
  if (time.isDate) return Math.floor(time.wallMs / DAY_MS) === day
  const atMs = toInstantMs(time)
  if (!start.isDate || Number.isNaN(atMs)) return atMs === idMs
  return Date.parse(localDateOf(atMs, start.zone)) / DAY_MS === day
}

/**
 * Where an occurrence is after an exception for 'this and future' ones: as far from its old time as that one. Null when it takes
 * no time.
 */
function shiftByFuture(
  { idMs, interval }: Candidate,
  series: ParsedEvent,
  exceptions: readonly ParsedEvent[],
): Interval | null {
  const before = exceptions
    .filter(({ isThisAndFuture }) => isThisAndFuture)
    .map((exception) => ({ exception, fromMs: replacedMs(exception) }))
    .filter(({ fromMs }) => fromMs <= idMs)
    .sort((a, b) => a.fromMs - b.fromMs)
    .at(-1)
  if (before === undefined) return isTaken(series) ? whenLong(interval) : null
  if (!isTaken(before.exception)) return null
  const startMs = interval.startMs + toInstantMs(before.exception.start) - before.fromMs
  return whenLong({ startMs, endMs: startMs + before.exception.lengthMs })
}

function replacedMs({ replaces, start }: ParsedEvent): number {
  return toInstantMs(replaces ?? start)
}

function toOccurrence(exception: ParsedEvent): EventOccurrence | null {
  const { interval: there } = toCandidate(exception.start, exception.start.wallMs, exception.lengthMs)
  const interval = isTaken(exception) ? whenLong(there) : null
  const atMs = replacedMs(exception)
  if (interval === null || Number.isNaN(atMs)) return null
  const key = new Date(atMs).toISOString()
  return { ...interval, key, isAllDay: exception.start.isDate }
}

/** What has no length takes no time. Source: rule G3. */
function whenLong(interval: Interval): Interval | null {
  return interval.startMs < interval.endMs ? interval : null
}
