import type { PublicCalendar } from '#contract/calendars/calendars.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { clampDate, firstWeekdayOf, SHOWN_DAYS, startOfWeeks } from './five-weeks.ts'

type BookableDates = { readonly today: string; readonly lastDate: string }

/**
 * Returns the first and last date on which customers can book, in the time zone in which a page shows them. `until` is the end of
 * the calendar's booking window, if it is shorter than two years: in another zone, its times can be on the next date.
 */
export function getBookableDates(timeZone: string, until: string | null = null): BookableDates {
  const nowMs = Date.now()
  const dateAt = (epochMs: number) => localDateOf(new Date(epochMs).toISOString(), timeZone)
  const farthest = dateAt(nowMs + MAX_DAYS_AHEAD * DAY_MS)
  return { today: dateAt(nowMs), lastDate: until === null ? farthest : addDays(until, 1) }
}

/** Returns the last date of a calendar's booking window in the calendar's zone; null for the longest window. Source: rule T45. */
export function lastDateOfWindow({
  booking_window_days: days,
  timezone,
}: Pick<PublicCalendar, 'booking_window_days' | 'timezone'>): string | null {
  return days >= MAX_DAYS_AHEAD ? null : addDays(localDateOf(new Date().toISOString(), timezone), days)
}

/** The five weeks that the calendar shows: their first day, and the first and last bookable date among them. */
type ShownWeeks = { readonly start: string; readonly from: string; readonly to: string }

/** Returns the five weeks that contain a date, or that contain the nearest bookable date. */
export function shownWeeksOf(date: string, { today, lastDate }: BookableDates): ShownWeeks {
  const start = startOfWeeks(clampDate(date, today, lastDate), today, firstWeekdayOf())
  return {
    start,
    from: clampDate(start, today, lastDate),
    to: clampDate(addDays(start, SHOWN_DAYS - 1), today, lastDate),
  }
}
