import { formatDay } from './format-date.ts'

/** `Tuesday, December 1`, and `Friday, January 1, 2027` of another year than that of `today`. */
export function formatDateFrom(today: string, date: string): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4)
  return formatDay(date, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}

/** `Nov 23`, where the year is plain. */
export function formatMonthDay(date: string): string {
  return formatDay(date, { month: 'short', day: 'numeric' })
}

/** `Tue`, where the day is one of a row. */
export function formatWeekday(date: string): string {
  return formatDay(date, { weekday: 'short' })
}
