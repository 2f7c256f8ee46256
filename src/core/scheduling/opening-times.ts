import { dayOfWeekOf } from '#core/shared/calendar-date.ts'
import { DAY_MS, SECOND_MS } from '#core/shared/duration.ts'
import { stretchAt, wallToEpochMs, type ZoneOffsets } from '#core/shared/zone-offsets.ts'
import { type SpecialDays, specialDaysOn } from './special-days.ts'
import type { ClockSpan, WeeklyOpening } from './weekly-opening.ts'

/** When a calendar is open. */
export type OpeningHours = {
  /** In any order. */
  readonly openings: readonly WeeklyOpening[]
  /** Those that may matter to the dates that are asked about, in any order. Source: rule T34. */
  readonly specialDays: readonly SpecialDays[]
}

/** One opening on one date, as instants. A grid of starts begins at `startMs`. */
export type OpeningTime = {
  readonly startMs: number
  readonly endMs: number
  /**
   * The open time that the opening is a part of: one object for all openings that touch or overlap. Source: rule T5.
   */
  open: OpenTime
}

/** Time in which a calendar is open without a break. */
type OpenTime = {
  untilMs: number
  /** Whether openings in it overlap, so that their grids have to be merged. */
  hasOverlap: boolean
}

/**
 * Lists the openings of `dayCount` dates in a row, earliest start first, with those that touch joined.
 *
 * Clock times become instants here and nowhere else. Around a change of clocks an opening may be longer or shorter than
 * its clock times say, overlap its neighbour, lie on another date, or be empty and left out. Source: rule T3.
 */
export function listOpeningTimes(
  { openings, specialDays }: OpeningHours,
  zone: ZoneOffsets,
  firstDay: number,
  dayCount: number,
): readonly OpeningTime[] {
  const times: OpeningTime[] = []
  const weekly = groupByWeekday(openings)
  let stretch = 0
  let weekday = dayOfWeekOf(firstDay)
  for (let i = 0; i < dayCount; i++) {
    const day = firstDay + i
    // No clock is a whole day from UTC, so a day earlier in UTC is before every moment of this date.
    stretch = stretchAt(zone, (day - 1) * DAY_MS, stretch)
    const spans = specialDaysOn(specialDays, day)?.hours ?? weekly[weekday] ?? []
    for (const { startSeconds, endSeconds } of spans) {
      const startMs = wallToEpochMs(zone, day * DAY_MS + startSeconds * SECOND_MS, stretch)
      const endMs = wallToEpochMs(zone, day * DAY_MS + endSeconds * SECOND_MS, stretch)
      if (startMs < endMs) insertByStart(times, { startMs, endMs, open: NOT_JOINED })
    }
    weekday = weekday === 6 ? 0 : weekday + 1
  }
  joinTouching(times)
  return times
}

/** The openings of Sunday first. */
function groupByWeekday(openings: readonly WeeklyOpening[]): readonly (readonly ClockSpan[])[] {
  const days: ClockSpan[][] = [[], [], [], [], [], [], []]
  for (const opening of openings) days[opening.dayOfWeek]?.push(opening)
  return days
}

const NOT_JOINED: OpenTime = { untilMs: -Infinity, hasOverlap: false }

/** Almost always at the end. Only a week given out of order, or a gap in the clock, puts a later reading earlier. */
function insertByStart(times: OpeningTime[], time: OpeningTime): void {
  const last = times.length === 0 ? undefined : times[times.length - 1]
  if (last === undefined || last.startMs <= time.startMs) times.push(time)
  else times.splice(times.findLastIndex((other) => other.startMs <= time.startMs) + 1, 0, time)
}

/** `times` are in order, so each either reaches into the open time so far or begins a new one. */
function joinTouching(times: readonly OpeningTime[]): void {
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
