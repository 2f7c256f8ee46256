import { LOCALE } from '#core/shared/locale.ts'

/** Formats a date (yyyy-MM-dd) as `Tue, March 2, 2027`. */
export function formatDate(date: string): string {
  return new Intl.DateTimeFormat(LOCALE, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(date))
}
