import { formatDay } from '#web/shared/format-date.ts'

/** Formats a date as `Tuesday, December 1`, or as `Friday, January 1, 2027` if its year differs from that of `today`. */
export function formatDateWithYearIfDifferent(today: string, date: string): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4)
  return formatDay(date, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
}
