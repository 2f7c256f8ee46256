import { listDates, toDate, toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { type Interval, isInAnyInterval } from '#core/shared/interval.ts'
import { addDays, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import { MAX_DAYS_AHEAD } from './farthest-days.ts'
import type { OpenDay } from './slot.ts'

/** Days in a row in some zone. */
export type DayRange = { readonly firstDate: string; readonly dayCount: number }

/**
 * The days of a range on which something may be bookable in any zone; null when there is none. No clock is a whole day
 * from UTC, so one more day on each side is enough. Where nothing can be booked, nothing has to be known about the
 * zone.
 */
export function bookableDays({ firstDate, dayCount }: DayRange, nowMs: number): DayRange | null {
  const asked = toDayNumber(firstDate)
  const today = Math.floor(nowMs / DAY_MS)
  const first = Math.max(asked, today - 1)
  const last = Math.min(asked + dayCount - 1, today + MAX_DAYS_AHEAD + 2)
  return first > last ? null : { firstDate: toDate(first), dayCount: last - first + 1 }
}

/** Every date of a range in order, with the slots that were found. */
export function fillMissingDays(days: readonly OpenDay[], { firstDate, dayCount }: DayRange): OpenDay[] {
  const found = new Map(days.map((day) => [day.date, day]))
  return listDates(firstDate, dayCount).map((date) => found.get(date) ?? { date, startsMs: [] })
}

/** The days without the starts that lie in one of some stretches of time. */
export function removeStartsWithin(days: readonly OpenDay[], stretches: readonly Interval[]): OpenDay[] {
  return days.map(({ date, startsMs }) => ({
    date,
    startsMs: startsMs.filter((startMs) => !isInAnyInterval(stretches, startMs)),
  }))
}

/**
 * The days in the calendar's own zone that touch a range of days in the shown zone: they must be searched to find every
 * slot of that range. A visitor's day usually spans two calendar days. Source: rule T21.
 */
export function calendarDaysOf(range: DayRange, shownZone: string, calendarZone: string): DayRange {
  if (shownZone === calendarZone) return range
  const startMs = toEpochMs(range.firstDate, 0, shownZone)
  const endMs = toEpochMs(addDays(range.firstDate, range.dayCount), 0, shownZone)
  const firstDate = localDateOf(startMs, calendarZone)
  const lastDate = localDateOf(endMs - 1, calendarZone)
  return { firstDate, dayCount: toDayNumber(lastDate) - toDayNumber(firstDate) + 1 }
}

/** The slots, grouped by the dates on which they start in the shown zone: every date of the range, in order. */
export function groupByShownDay(days: readonly OpenDay[], range: DayRange, shownZone: string): OpenDay[] {
  const startsOf = new Map<string, number[]>()
  for (const date of listDates(range.firstDate, range.dayCount)) startsOf.set(date, [])
  for (const { startsMs } of days) {
    for (const startMs of startsMs) startsOf.get(localDateOf(startMs, shownZone))?.push(startMs)
  }
  return [...startsOf].map(([date, startsMs]) => ({ date, startsMs }))
}
