import { interpretLocalTime } from '#core/appointments/interpret-local-time.ts'
import { addDays, toDayNumber } from '#core/shared/calendar-date.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { overlaps } from '#core/shared/interval.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import type { DayRange } from './displayed-days.ts'
import { decideOwnerStartTime, explainStart, type StartQuery, type StartReason } from './explain-start.ts'
import { toOccupiedTime } from './occupied-time.ts'
import { getBusyTimeWindow, listOpenSlots } from './open-slots.ts'

export const SERIES_INTERVALS_WEEKS = [1, 2, 4] as const
export type SeriesInterval = (typeof SERIES_INTERVALS_WEEKS)[number]

/** Source: rules B38 and B40. */
export const SERIES_LIMITS = {
  fewestDates: 2,
  mostDates: 52,
  standingPerCalendar: 50,
  /** How far ahead a standing appointment is booked. */
  standingWeeks: 26,
} as const

/** Near times that are listed for a date on which the wanted time is not free. */
const NEAR_TIMES = 3
/** Near times are searched on so many days before and after the date. No two dates of a series share such a day. */
const NEAR_DAYS = 3

/** The dates of a series: the same time on the calendar's clock every few weeks. Source: rule B38. */
export type SeriesRule = {
  readonly firstDate: string
  readonly secondsOfDay: number
  readonly everyWeeks: SeriesInterval
}

/** Where a series ends: after some dates, on a last date, or never. */
export type SeriesEnd = { readonly count: number } | { readonly until: string } | 'never'

/** Counts the dates of a series. A standing one counts those in the coming 26 weeks, and at least its first date. */
export function countSeriesDates(rule: SeriesRule, end: SeriesEnd, today: string): number {
  if (end !== 'never' && 'count' in end) return end.count
  const until = end === 'never' ? addDays(today, SERIES_LIMITS.standingWeeks * 7) : end.until
  const count = Math.floor((toDayNumber(until) - toDayNumber(rule.firstDate)) / (rule.everyWeeks * 7)) + 1
  return Math.max(end === 'never' ? 1 : 0, count)
}

/** Returns the date with this number, from 1, as yyyy-MM-dd. */
export function getSeriesDate({ firstDate, everyWeeks }: SeriesRule, number: number): string {
  return addDays(firstDate, (number - 1) * everyWeeks * 7)
}

/** Returns the start of a date as an instant, and how a time that a clock change skips or repeats was read. */
export function getSeriesStart(rule: SeriesRule, number: number, timeZone: string) {
  return interpretLocalTime(getSeriesDate(rule, number), rule.secondsOfDay, timeZone)
}

/** A date of a series, with everything that speaks against it and near times that customers are offered instead. */
export type PlannedDate = {
  readonly date: string
  readonly startsAtMs: number
  readonly reading: 'once' | 'skipped' | 'repeated'
  /** Empty exactly when `explainStart` has no reason, with the free dates before it booked. */
  readonly reasons: readonly StartReason[]
  readonly nearMs: readonly number[]
}

/** Judges the dates of a series in order. The free ones before a date count as booked. Source: rule B39. */
export function planSeries(query: StartQuery, rule: SeriesRule, count: number): PlannedDate[] {
  const starts = Array.from({ length: count }, (_, i) => ({
    date: getSeriesDate(rule, i + 1),
    ...getSeriesStart(rule, i + 1, query.timeZone),
  }))
  return explainInOrder(query, starts, isFree).map(({ before, ...planned }) => ({
    ...planned,
    nearMs: isFree(planned) ? [] : listNearTimes(before, planned.startsAtMs),
  }))
}

/** A start that the owner chose for a date of a series. `isAnyway`: the owner overrides the warnings. */
export type ChosenStart = { readonly startsAtMs: number; readonly isAnyway: boolean }

/**
 * Judges the chosen starts of a series, which must be in order. Each counts the earlier ones as booked. Source: rule B39.
 */
export function judgeSeries(query: StartQuery, chosen: readonly ChosenStart[]) {
  return explainInOrder(query, chosen, () => true).map(({ reasons, isAnyway }) => ({
    reasons,
    decision: decideOwnerStartTime(reasons, isAnyway),
  }))
}

/** A start with every reason against it, and the query that it was judged by: with the earlier starts booked. */
type ExplainedStart<Start> = Start & { readonly reasons: StartReason[]; readonly before: StartQuery }

/** Explains starts in order. Those that `isBooked` accepts count as booked for the later ones. */
export function explainInOrder<Start extends { readonly startsAtMs: number }>(
  query: StartQuery,
  starts: readonly Start[],
  isBooked: (start: ExplainedStart<Start>) => boolean,
): ExplainedStart<Start>[] {
  let before = query
  return starts.map((start) => {
    const explained = { ...start, reasons: explainStart(before, start.startsAtMs), before }
    if (isBooked(explained)) before = withAppointment(before, start.startsAtMs)
    return explained
  })
}

/** True for a start that customers are offered. */
export function isFree({ reasons }: { readonly reasons: readonly StartReason[] }): boolean {
  return reasons.length === 0
}

/** True when a start lies on a date of the rule or near it, where another time is offered for that date. Source: rule B48. */
export function isNearSeriesDate(
  rule: SeriesRule,
  { number, startsAtMs }: { readonly number: number; readonly startsAtMs: number },
  timeZone: string,
): boolean {
  const distance = toDayNumber(localDateOf(startsAtMs, timeZone)) - toDayNumber(getSeriesDate(rule, number))
  return Math.abs(distance) <= NEAR_DAYS
}

/** Returns the query after an appointment was booked: it takes its time and counts towards the limits. */
export function withAppointment(query: StartQuery, startsAtMs: number): StartQuery {
  const { durationMinutes, timeZone } = query
  const time = { startMs: startsAtMs, endMs: startsAtMs + durationMinutes * MINUTE_MS }
  const dayNumber = toDayNumber(localDateOf(startsAtMs, timeZone))
  return {
    ...query,
    busy: [...query.busy, toOccupiedTime(time, query)],
    counted: [...query.counted, { dayNumber, isOfType: true, appointments: 1, minutes: durationMinutes }],
  }
}

/** Returns the days whose data decide about a series with these starts and about the times near them. */
export function getSeriesDays(firstMs: number, lastMs: number, timeZone: string): DayRange {
  const firstDate = addDays(localDateOf(firstMs, timeZone), -NEAR_DAYS)
  const dayCount = toDayNumber(localDateOf(lastMs, timeZone)) - toDayNumber(firstDate) + NEAR_DAYS + 1
  return { firstDate, dayCount }
}

/** Lists the offered times nearest to a start, in order. */
function listNearTimes(query: StartQuery, startsAtMs: number): number[] {
  if (query.isUnchecked || query.isPaused) return []
  const days = getSeriesDays(startsAtMs, startsAtMs, query.timeZone)
  const during = getBusyTimeWindow(days)
  const near = {
    ...query,
    ...days,
    busy: query.busy.filter((taken) => overlaps(taken, during)),
    locationBusy: query.locationBusy.filter((taken) => overlaps(taken, during)),
  }
  return listOpenSlots(near)
    .flatMap(({ startsMs }) => startsMs)
    .sort((a, b) => Math.abs(a - startsAtMs) - Math.abs(b - startsAtMs))
    .slice(0, NEAR_TIMES)
    .sort((a, b) => a - b)
}
