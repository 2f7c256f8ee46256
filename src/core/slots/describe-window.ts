import { addDays } from '#core/shared/calendar-date.ts'
import { nameDate, nameDateWithWeekday } from '#core/shared/date-words.ts'
import type { BookableDates, BookingWindow } from './booking-window.ts'
import { MAX_DAYS_AHEAD } from './max-days-ahead.ts'

/** Formats a window for its owner, for example to compare two: `30 days`, `5 open days`, `Until December 1, 2026`. */
export function nameWindow(window: BookingWindow): string {
  switch (window.kind) {
    case 'none':
      return '2 years'
    case 'days':
      return countDays(window.days)
    case 'open_days':
      return countDays(window.days, 'open ')
    case 'until':
      return `Until ${nameDate(window.until)}`
    case 'between':
      return `${nameDate(window.from)} to ${nameDate(window.until)}`
  }
}

/** Says in a sentence to the owner when customers can book. `today` is that of the calendar. Source: rule T67. */
export function describeWindow(window: BookingWindow, today: string): string {
  switch (window.kind) {
    case 'none':
      return 'Customers can book up to two years ahead.'
    case 'days':
      return describeDays(window.days, today)
    case 'open_days':
      if (window.days === 0) return describeDays(0, today)
      return `Customers can book today and the next ${window.days === 1 ? 'day' : `${window.days} days`} with opening hours.`
    default:
      return describeBookableDates(
        { from: window.kind === 'between' ? window.from : null, until: window.until },
        today,
      )
  }
}

function describeDays(days: number, today: string): string {
  if (days >= MAX_DAYS_AHEAD) return describeWindow({ kind: 'none' }, today)
  if (days === 0) return 'Customers can book today only.'
  if (days === 1) return 'Customers can book until the end of tomorrow.'
  return `Customers can book today and the next ${days} days, now until ${nameDateWithWeekday(addDays(today, days))}.`
}

/** Says in a sentence to the owner on which days customers can book. */
export function describeBookableDates({ from, until }: BookableDates, today: string): string {
  if (until !== null && until < today)
    return `Customers could book until ${nameDateWithWeekday(until)}. Now they can’t.`
  const first = from === null || from <= today ? '' : ` from ${nameDay(from, today)}`
  const last = until === null ? '' : ` until ${nameDay(until, today)}`
  return `Customers can book${first}${last}.`
}

/** Says to customers when they can book; null when nothing bounds it. Source: rule T70. */
export function describeWindowToCustomers(
  window: BookingWindow,
  { from, until }: BookableDates,
  today: string,
): string | null {
  if (until === null) return null
  if (until < today) return `Bookings ended on ${nameDate(until)}.`
  if (from !== null && from > today) return `You can book from ${nameDate(from)} until ${nameDate(until)}.`
  const later = window.kind === 'days' ? ` Each later day opens ${countBefore(window.days)}.` : ''
  return `You can book until ${nameDate(until)}.${later}`
}

/** Tells customers the day on which a date outside the window can be booked. Source: rule T70. */
export function describeDateOutsideWindow(
  window: BookingWindow,
  { from, until }: BookableDates,
  { date, today }: { readonly date: string; readonly today: string },
): string {
  if (until !== null && until < today) return `Bookings ended on ${nameDate(until)}.`
  if (from !== null && date < from) return `You can book from ${nameDateWithWeekday(from)}.`
  if (window.kind === 'days')
    return `You can book this day from ${nameDateWithWeekday(addDays(date, -window.days))}.`
  return until === null ? '' : `You can book until ${nameDateWithWeekday(until)}.`
}

function countBefore(days: number): string {
  if (days === 0) return 'on that day'
  return days === 1 ? 'the day before' : `${days} days before`
}

function countDays(days: number, which = ''): string {
  if (days === 0) return 'Only today'
  if (days === 1) return which === '' ? 'Today and tomorrow' : `Today and 1 ${which}day`
  if (days === MAX_DAYS_AHEAD) return '2 years'
  return days === 365 && which === '' ? '1 year' : `${days} ${which}days`
}

function nameDay(date: string, today: string): string {
  if (date === today) return 'the end of today'
  return date === addDays(today, 1) ? 'tomorrow' : nameDateWithWeekday(date)
}
