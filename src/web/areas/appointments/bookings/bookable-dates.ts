import { addDays } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { clampDate, firstWeekdayOf, SHOWN_DAYS, startOfWeeks } from './five-weeks.ts'

type BookableDates = { readonly today: string; readonly lastDate: string }

/** Returns the first and last date on which customers can book, in the time zone in which a page shows them. */
export function getBookableDates(timeZone: string): BookableDates {
  const nowMs = Date.now()
  const dateAt = (epochMs: number) => localDateOf(new Date(epochMs).toISOString(), timeZone)
  return { today: dateAt(nowMs), lastDate: dateAt(nowMs + MAX_DAYS_AHEAD * DAY_MS) }
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
