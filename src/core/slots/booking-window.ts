import type { OpeningHours } from '#core/availability/opening-times.ts'
import { findSpecialDaysOn } from '#core/availability/special-days.ts'
import type { ClockSpan } from '#core/availability/weekly-opening.ts'
import { addDays, dayOfWeekOf, toDayNumber } from '#core/shared/calendar-date.ts'
import type { Interval } from '#core/shared/interval.ts'
import { toEpochMs } from '#core/shared/zoned-time.ts'
import { MAX_DAYS_AHEAD } from './max-days-ahead.ts'

/** How far ahead customers can book. Dates are yyyy-MM-dd, and the last one is included. Source: rule T67. */
export type BookingWindow =
  | { readonly kind: 'none' }
  /** Today and the next days; of `open_days`, only those on which the calendar is open count. */
  | { readonly kind: 'days' | 'open_days'; readonly days: number }
  | { readonly kind: 'until'; readonly until: string }
  | { readonly kind: 'between'; readonly from: string; readonly until: string }

export const NO_WINDOW: BookingWindow = { kind: 'none' }

/** The first and the last date on which customers can book, in the calendar's zone; null where nothing bounds it. */
export type BookableDates = { readonly from: string | null; readonly until: string | null }

export const ALL_DATES: BookableDates = { from: null, until: null }

/**
 * Returns the dates of a booking window. `hours` matter to a window of open days only, and need all special days until 730 days
 * after `today`. Source: rules T67 and T68.
 */
export function windowBounds(window: BookingWindow, hours: OpeningHours, today: string): BookableDates {
  if (window.kind === 'none') return ALL_DATES
  const until = findLastDate(window, hours, today)
  const isBound = until <= addDays(today, MAX_DAYS_AHEAD)
  return { from: window.kind === 'between' ? window.from : null, until: isBound ? until : null }
}

function findLastDate(
  window: Exclude<BookingWindow, { kind: 'none' }>,
  hours: OpeningHours,
  today: string,
): string {
  switch (window.kind) {
    case 'days':
      return addDays(today, window.days)
    case 'open_days':
      return addDays(today, countDaysUntilOpenDay(window.days, hours, today))
    default:
      return window.until
  }
}

/** Returns how many days after `today` the nth open day is; the farthest that anybody can book if there are fewer. */
function countDaysUntilOpenDay(n: number, { openings, specialDays }: OpeningHours, today: string): number {
  const openWeekdays = new Set(openings.filter(isOpen).map(({ dayOfWeek }) => dayOfWeek))
  const firstDay = toDayNumber(today)
  let left = n
  for (let ahead = 0; ahead < MAX_DAYS_AHEAD; ahead++) {
    if (left === 0) return ahead
    const day = firstDay + ahead + 1
    const special = findSpecialDaysOn(specialDays, day)
    const isOpenDay = special?.hours.some(isOpen) ?? openWeekdays.has(dayOfWeekOf(day))
    if (isOpenDay) left--
  }
  return MAX_DAYS_AHEAD
}

function isOpen({ startSeconds, endSeconds }: ClockSpan): boolean {
  return startSeconds < endSeconds
}

/** Returns the time from the start of the first date to the end of the last, on the calendar's clock. Source: rule T68. */
export function toBookableTime({ from, until }: BookableDates, timeZone: string): Interval {
  return {
    startMs: from === null ? -Infinity : toEpochMs(from, 0, timeZone),
    endMs: until === null ? Infinity : toEpochMs(addDays(until, 1), 0, timeZone),
  }
}
