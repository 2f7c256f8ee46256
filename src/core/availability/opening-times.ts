import { dayOfWeekOf } from '#core/shared/calendar-date.ts'
import { DAY_MS, SECOND_MS } from '#core/shared/duration.ts'
import { findOffsetPeriodIndex, wallTimeToEpochMs, type ZoneOffsets } from '#core/shared/zone-offsets.ts'
import { findSpecialDaysOn, type SpecialDays } from './special-days.ts'
import type { ClockSpan, WeeklyOpening } from './weekly-opening.ts'

/** The opening hours of a calendar. */
export type OpeningHours = {
  /** Unordered. */
  readonly openings: readonly WeeklyOpening[]
  /** Special days that affect the requested dates; unordered. Source: rule T34. */
  readonly specialDays: readonly SpecialDays[]
}

/** One opening on one date, as instants. */
export type OpeningInterval = {
  readonly startMs: number
  readonly endMs: number
  /** Where its grid of starts begins: at its start, or before it, where its calendar is still closed. Source: rules T4 and T61. */
  readonly gridMs: number
  /**
   * The continuous open time that contains the opening; shared by all openings that touch or overlap. Source: rule T5.
   */
  open: OpenTime
}

/** A period in which the calendar is open without interruption. */
type OpenTime = {
  untilMs: number
  /** True when openings overlap, so their grids must be merged. */
  hasOverlap: boolean
}

/**
 * Lists the openings of `dayCount` consecutive dates by start, joining those that touch. This is the only place that
 * converts clock times to instants. Around a clock change an opening can be longer or shorter than its clock times,
 * overlap its neighbour, fall on another date, or be empty and dropped. Source: rule T3.
 */
export function listOpeningIntervals(
  { openings, specialDays }: OpeningHours,
  zone: ZoneOffsets,
  firstDay: number,
  dayCount: number,
): readonly OpeningInterval[] {
  const times: OpeningInterval[] = []
  const weekly = groupByWeekday(openings)
  let period = 0
  let weekday = dayOfWeekOf(firstDay)
  for (let i = 0; i < dayCount; i++) {
    const day = firstDay + i
    // UTC offsets are less than a day, so one day earlier in UTC is before the local date begins.
    period = findOffsetPeriodIndex(zone, (day - 1) * DAY_MS, period)
    const spans = findSpecialDaysOn(specialDays, day)?.hours ?? weekly[weekday] ?? []
    for (const { startSeconds, endSeconds } of spans) {
      const startMs = wallTimeToEpochMs(zone, day * DAY_MS + startSeconds * SECOND_MS, period)
      const endMs = wallTimeToEpochMs(zone, day * DAY_MS + endSeconds * SECOND_MS, period)
      if (startMs < endMs) insertByStart(times, { startMs, endMs, gridMs: startMs, open: NOT_JOINED })
    }
    weekday = weekday === 6 ? 0 : weekday + 1
  }
  joinTouching(times)
  return times
}

/** Groups openings by weekday; index 0 is Sunday. */
function groupByWeekday(openings: readonly WeeklyOpening[]): readonly (readonly ClockSpan[])[] {
  const days: ClockSpan[][] = [[], [], [], [], [], [], []]
  for (const opening of openings) days[opening.dayOfWeek]?.push(opening)
  return days
}

const NOT_JOINED: OpenTime = { untilMs: -Infinity, hasOverlap: false }

/** Usually appends. Only unordered input or a gap in the clock puts a later opening earlier. */
function insertByStart(times: OpeningInterval[], time: OpeningInterval): void {
  const last = times.length === 0 ? undefined : times[times.length - 1]
  if (last === undefined || last.startMs <= time.startMs) times.push(time)
  else times.splice(times.findLastIndex((other) => other.startMs <= time.startMs) + 1, 0, time)
}

/** `times` are sorted, so each one either extends the current open time or starts a new one. */
function joinTouching(times: readonly OpeningInterval[]): void {
  let open = NOT_JOINED
  for (const time of times) {
    if (time.startMs > open.untilMs) {
      open = { untilMs: time.endMs, hasOverlap: false }
    } else {
      if (time.startMs < open.untilMs) open.hasOverlap = true
      if (time.endMs > open.untilMs) open.untilMs = time.endMs
    }
    time.open = open
  }
}
