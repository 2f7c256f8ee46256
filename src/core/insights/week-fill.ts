import type { DayRange } from '#core/scheduling/shown-days.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { addDays, dayOfWeek, localDateOf } from '#core/shared/zoned-time.ts'

/** This week and the next, from Monday on, in the zone of the calendar. Source: rule N4. */
export function thisAndNextWeek(nowMs: number, timeZone: string): DayRange {
  const today = localDateOf(nowMs, timeZone)
  return { firstDate: addDays(today, -((dayOfWeek(today) + 6) % 7)), dayCount: 14 }
}

/** The minutes of all openings of a day. */
export function countOpenMinutes(openings: readonly Interval[]): number {
  return openings.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / MINUTE_MS, 0)
}

/**
 * A part of a whole in whole percent; null when there is no whole. A part above zero is at least 1 percent, and a part below the
 * whole is at most 99 percent.
 */
export function toPercent(part: number, whole: number): number | null {
  if (whole <= 0) return null
  const percent = Math.round((part / whole) * 100)
  if (part > 0 && percent === 0) return 1
  return part < whole && percent === 100 ? 99 : percent
}
