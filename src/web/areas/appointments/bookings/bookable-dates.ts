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
export function getBookableDates(timeZone: string, until: WindowEnd | null = null): BookableDates {
  const nowMs = Date.now()
  const dateAt = (epochMs: number) => localDateOf(new Date(epochMs).toISOString(), timeZone)
  const farthest = dateAt(nowMs + MAX_DAYS_AHEAD * DAY_MS)
  if (until === null) return { today: dateAt(nowMs), lastDate: farthest }
  return { today: dateAt(nowMs), lastDate: addDays(until.date, until.timeZone === timeZone ? 0 : 1) }
}

/** The last date of a calendar's booking window, in the calendar's zone. */
export type WindowEnd = { readonly date: string; readonly timeZone: string }

/** Returns the end of a calendar's booking window; null for the longest window. Source: rule T45. */
export function endOfWindow({
  booking_window_days: days,
  timezone: timeZone,
}: Pick<PublicCalendar, 'booking_window_days' | 'timezone'>): WindowEnd | null {
  if (days >= MAX_DAYS_AHEAD) return null
  return { date: addDays(localDateOf(new Date().toISOString(), timeZone), days), timeZone }
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
