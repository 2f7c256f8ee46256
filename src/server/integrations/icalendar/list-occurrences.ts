import { DAY_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'
import type { EventOccurrence } from '#server/ports/external-calendar.ts'
import { expandRule, shareSteps } from './expand-rule.ts'
import { isNamed, type NamedTimes, toNamedTimes } from './named-times.ts'
import { type EventTime, type ParsedEvent, toInstantMs } from './parse-event.ts'

/** One occurrence before exceptions: `idMs` is the instant by which exceptions name it. */
type Candidate = { readonly idMs: number; readonly wallMs: number; readonly interval: Interval }

/** What the exceptions of an event change, found once for all occurrences. */
type Changes = {
  /** None at all. */
  readonly isEmpty: boolean
  /** Which occurrences of series of times are replaced. */
  readonly replacedTimes: NamedTimes
  /** The same of series of days. */
  readonly replacedDays: NamedTimes
  /** The exceptions for 'this and future' ones, by the instant from which each counts. */
  readonly future: readonly Future[]
}
type Future = { readonly exception: ParsedEvent; readonly fromMs: number }

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
  const changes = toChanges(exceptions, series)
  const maxSteps = shareSteps(series.reduce((count, { rules }) => count + rules.length, 0))
  const found = [
    // Some programs give one UID to many events.
    ...series.flatMap((one, index) =>
      listOfSeries(one, changes, { window, maxSteps, prefix: index === 0 ? '' : `${index} ` }),
    ),
    ...exceptions.flatMap((exception) => toOccurrence(exception) ?? []),
  ]
  const byKey = new Map(found.map((occurrence) => [occurrence.key, occurrence]))
  // One of ours that was moved far away is still where it is.
  const isOurs = events.some(({ appointmentId }) => appointmentId !== null)
  return [...byKey.values()].filter((occurrence) => isOurs || overlaps(occurrence, window))
}

type Frame = { readonly window: Interval; readonly maxSteps: number; readonly prefix: string }

/** The key of a time that stands for many occurrences. No exception names it. */
export const WITHOUT_GAP = 'without a gap'

function listOfSeries(
  series: ParsedEvent,
  changes: Changes,
  { window, maxSteps, prefix }: Frame,
): EventOccurrence[] {
  const isAlone = changes.isEmpty && series.rules.length === 0 && series.added.length === 0
  const { candidates, untilWallMs } = listCandidates(series, window, maxSteps)
  const excluded = toNamedTimes(series.excluded, series.start.isDate ? series.start.zone : null)
  const replaced = series.start.isDate ? changes.replacedDays : changes.replacedTimes
  const occurrences = candidates.flatMap((candidate): EventOccurrence[] => {
    if (Number.isNaN(candidate.idMs) || isNamed(excluded, candidate) || isNamed(replaced, candidate))
      return []
    const interval = shiftByFuture(candidate, series, changes)
    const id = isAlone ? '' : new Date(candidate.idMs).toISOString()
    return interval === null ? [] : [{ ...interval, key: `${prefix}${id}`, isAllDay: series.start.isDate }]
  })
  const whole = untilWallMs === null ? null : findWhole(series, changes, { window, untilWallMs })
  if (whole === null) return occurrences
  const others = occurrences.filter(({ startMs, endMs }) => startMs < whole.startMs || endMs > whole.endMs)
  return [...others, { ...whole, key: `${prefix}${WITHOUT_GAP}`, isAllDay: series.start.isDate }]
}

function toChanges(exceptions: readonly ParsedEvent[], series: readonly ParsedEvent[]): Changes {
  const replaced = exceptions.flatMap(({ replaces }) => replaces ?? [])
  // All dates are in the zone of the calendar, and so are all series of days.
  const dayZone = series.find(({ start }) => start.isDate)?.start.zone ?? null
  const future = exceptions
    .filter(({ isThisAndFuture }) => isThisAndFuture)
    .map((exception) => ({ exception, fromMs: replacedMs(exception) }))
    .filter(({ fromMs }) => !Number.isNaN(fromMs))
    .sort((a, b) => a.fromMs - b.fromMs)
  return {
    isEmpty: exceptions.length === 0,
    replacedTimes: toNamedTimes(replaced, null),
    replacedDays: toNamedTimes(dayZone === null ? [] : replaced, dayZone),
    future,
  }
}

/** Whether an event, or an exception of one, takes time. Source: rules G3 and G5. */
export function isTaken({ isBusy, isCancelled, appointmentId }: ParsedEvent): boolean {
  return !isCancelled && (isBusy || appointmentId !== null)
}

/** `untilWallMs`: until when rules repeat all the time; null when none does. */
function listCandidates(
  event: ParsedEvent,
  window: Interval,
  maxSteps: number,
): { readonly candidates: readonly Candidate[]; readonly untilWallMs: number | null } {
  const within = {
    startMs: window.startMs - event.lengthMs - ZONES_APART_MS,
    endMs: window.endMs + ZONES_APART_MS,
  }
  const { start } = event
  const repetitions = event.rules.map((rule) =>
    expandRule(rule, { startWallMs: start.wallMs, zone: start.zone, within, maxSteps }),
  )
  const untils = repetitions.flatMap((one) => (one.kind === 'dense' ? [one.untilWallMs] : []))
  const starts = repetitions.flatMap((one) => (one.kind === 'starts' ? one.wallMs : []))
  const added = event.added.toSorted((a, b) => a.start.wallMs - b.start.wallMs)
  return {
    candidates: [
      ...[start.wallMs, ...starts].map((wallMs) => toCandidate(start, wallMs, event.lengthMs)),
      ...added.map((one) => toCandidate(one.start, one.start.wallMs, one.lengthMs)),
    ],
    untilWallMs: untils.length === 0 ? null : Math.max(...untils),
  }
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

/**
 * A rule that repeats all the time takes the time from its first to its last occurrence, as far as the window goes. Exceptions free
 * nothing of it; where one moves 'this and future' ones, it takes the whole window.
 */
function findWhole(
  series: ParsedEvent,
  { future }: Changes,
  { window, untilWallMs }: { readonly window: Interval; readonly untilWallMs: number },
): Interval | null {
  if (future.some(({ exception }) => isTaken(exception))) return whenLong(window)
  const { start, lengthMs } = series
  if (!isTaken(series) || lengthMs === 0) return null
  const untilMs = Number.isFinite(untilWallMs)
    ? toInstantMs({ wallMs: untilWallMs, zone: start.zone })
    : window.endMs
  const startMs = start.wallMs < window.startMs - ZONES_APART_MS ? window.startMs : toInstantMs(start)
  return whenLong({
    startMs: Math.max(startMs, window.startMs),
    endMs: Math.min((Number.isNaN(untilMs) ? window.endMs : untilMs) + lengthMs, window.endMs),
  })
}

/**
 * Where an occurrence is after an exception for 'this and future' ones: as far from its old time as that one. Null when it takes
 * no time.
 */
function shiftByFuture(
  { idMs, interval }: Candidate,
  series: ParsedEvent,
  { future }: Changes,
): Interval | null {
  const before = findLastFrom(future, idMs)
  if (before === null) return isTaken(series) ? whenLong(interval) : null
  if (!isTaken(before.exception)) return null
  const startMs = interval.startMs + toInstantMs(before.exception.start) - before.fromMs
  return whenLong({ startMs, endMs: startMs + before.exception.lengthMs })
}

/** The last one that counts at an instant, found in the middle first: there may be thousands. */
function findLastFrom(future: readonly Future[], atMs: number): Future | null {
  let [low, high] = [0, future.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((future[middle]?.fromMs ?? Number.POSITIVE_INFINITY) <= atMs) low = middle + 1
    else high = middle
  }
  return future[low - 1] ?? null
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
