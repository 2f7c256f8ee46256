import type { PublicCalendar } from '#contract/calendars/calendars.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { clampDate, firstWeekdayOf, SHOWN_DAYS, startOfWeeks } from './five-weeks.ts'

type BookableDates = { readonly today: string; readonly lastDate: string }

/**
 * Returns the first and last date on which customers can book, in the time zone in which a page shows them. `until` is the end of
 * the booking window, if there is one: in another zone, its times can be on the next date.
 */
export function getBookableDates(timeZone: string, until: WindowEnd | null = null): BookableDates {
  const nowMs = Date.now()
  const dateAt = (epochMs: number) => localDateOf(new Date(epochMs).toISOString(), timeZone)
  const farthest = dateAt(nowMs + MAX_DAYS_AHEAD * DAY_MS)
  const today = dateAt(nowMs)
  const lastDate = until === null ? farthest : addDays(until.date, until.timeZone === timeZone ? 0 : 1)
  // A window that has ended leaves today, which has no times.
  return { today, lastDate: lastDate < today ? today : lastDate }
}

/** The last date of a booking window, in the calendar's zone, and what customers read about it. Source: rule T70. */
export type WindowEnd = { readonly date: string; readonly timeZone: string; readonly text: string | null }

type Bounded = Pick<PublicCalendar, 'bookable_until' | 'bookable_text'>

/** Returns the end of the booking window of a type, or of the calendar without a type; null when there is none. */
export function endOfWindow(
  type: Bounded | null,
  calendar: Bounded & Pick<PublicCalendar, 'timezone'>,
): WindowEnd | null {
  const { bookable_until: date, bookable_text: text } = type ?? calendar
  return date === null ? null : { date, timeZone: calendar.timezone, text }
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
