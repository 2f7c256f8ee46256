import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { addDays, dayOfWeek, localDateOf } from '#core/shared/zoned-time.ts'
import type { DayRange } from '#core/slots/displayed-days.ts'

/** Returns this week and the next, starting on Monday, in the calendar's time zone. Source: rule N4. */
export function getThisAndNextWeek(nowMs: number, timeZone: string): DayRange {
  const today = localDateOf(nowMs, timeZone)
  return { firstDate: addDays(today, -((dayOfWeek(today) + 6) % 7)), dayCount: 14 }
}

/** Sums the minutes of a day's openings. */
export function countOpenMinutes(openings: readonly Interval[]): number {
  return openings.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / MINUTE_MS, 0)
}

/**
 * Returns a part as a whole percentage; null when the whole is zero. Any part above zero is at least 1 percent, and any
 * part below the whole is at most 99 percent.
 */
export function toPercent(part: number, whole: number): number | null {
  if (whole <= 0) return null
  const percent = Math.round((part / whole) * 100)
  if (part > 0 && percent === 0) return 1
  return part < whole && percent === 100 ? 99 : percent
}
