import { DAY_MS } from '#core/shared/duration.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { lastDateOf, monthOf } from './month-grid.ts'

type BookableDates = { readonly today: string; readonly lastDate: string }

/** Returns the first and last date on which customers can book, in the time zone in which a page shows them. */
export function getBookableDates(timeZone: string): BookableDates {
  const nowMs = Date.now()
  const dateAt = (epochMs: number) => localDateOf(new Date(epochMs).toISOString(), timeZone)
  return { today: dateAt(nowMs), lastDate: dateAt(nowMs + MAX_DAYS_AHEAD * DAY_MS) }
}

/** Returns the first and last of the bookable dates that are in a month. */
export function bookableDatesInMonth(
  month: string,
  { today, lastDate }: BookableDates,
): { from: string; to: string } {
  return {
    from: month === monthOf(today) ? today : `${month}-01`,
    to: month === monthOf(lastDate) ? lastDate : lastDateOf(month),
  }
}
