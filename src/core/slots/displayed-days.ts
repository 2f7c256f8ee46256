import { dayNumberToDate, listDates, toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { type Interval, isInAnyInterval } from '#core/shared/interval.ts'
import { addDays, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { MAX_DAYS_AHEAD } from './max-days-ahead.ts'
import type { OpenDay } from './open-day.ts'

/** Consecutive days in some time zone. */
export type DayRange = { readonly firstDate: string; readonly dayCount: number }

/** Returns the earliest date that it can be now in any zone, because no zone is more than a day behind UTC. */
export function earliestDateNow(nowMs: number): string {
  return dayNumberToDate(Math.floor(nowMs / DAY_MS) - 1)
}

/**
 * Narrows a range to the days that can be bookable in any zone; null when there are none. UTC offsets are less than a
 * day, so one extra day on each side is enough. Needs no zone, so a range that cannot be booked costs nothing.
 */
export function limitToBookableDays({ firstDate, dayCount }: DayRange, nowMs: number): DayRange | null {
  const asked = toDayNumber(firstDate)
  const today = Math.floor(nowMs / DAY_MS)
  const first = Math.max(asked, today - 1)
  const last = Math.min(asked + dayCount - 1, today + MAX_DAYS_AHEAD + 2)
  return first > last ? null : { firstDate: dayNumberToDate(first), dayCount: last - first + 1 }
}

/** Returns every date of a range in order; dates without slots get an empty list. */
export function fillMissingDays(days: readonly OpenDay[], { firstDate, dayCount }: DayRange): OpenDay[] {
  const found = new Map(days.map((day) => [day.date, day]))
  return listDates(firstDate, dayCount).map((date) => found.get(date) ?? { date, startsMs: [] })
}

/** Removes the starts that lie in any of the intervals. */
export function removeStartsWithin(days: readonly OpenDay[], intervals: readonly Interval[]): OpenDay[] {
  return days.map(({ date, startsMs }) => ({
    date,
    startsMs: startsMs.filter((startMs) => !isInAnyInterval(intervals, startMs)),
  }))
}

/**
 * Returns the days in the calendar's zone that overlap a range in the displayed zone; these must be searched for slots.
 * A visitor's day usually spans two calendar days. Source: rule T21.
 */
export function toCalendarZoneDays(range: DayRange, shownZone: string, calendarZone: string): DayRange {
  if (shownZone === calendarZone) return range
  const startMs = toEpochMs(range.firstDate, 0, shownZone)
  const endMs = toEpochMs(addDays(range.firstDate, range.dayCount), 0, shownZone)
  const firstDate = localDateOf(startMs, calendarZone)
  const lastDate = localDateOf(endMs - 1, calendarZone)
  return { firstDate, dayCount: toDayNumber(lastDate) - toDayNumber(firstDate) + 1 }
}

/** Groups slots by their date in the displayed zone: every date of the range, in order. */
export function groupByDisplayedDay(days: readonly OpenDay[], range: DayRange, shownZone: string): OpenDay[] {
  const startsOf = new Map<string, number[]>()
  for (const date of listDates(range.firstDate, range.dayCount)) startsOf.set(date, [])
  for (const { startsMs } of days) {
    for (const startMs of startsMs) startsOf.get(localDateOf(startMs, shownZone))?.push(startMs)
  }
  return [...startsOf].map(([date, startsMs]) => ({ date, startsMs }))
}
