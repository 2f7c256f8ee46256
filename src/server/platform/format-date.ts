import { LOCALE } from '#core/shared/locale.ts'

/** A day in words, `Tue, March 2, 2027`. `date` is yyyy-MM-dd. */
export function formatDate(date: string): string {
  return new Intl.DateTimeFormat(LOCALE, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(date))
}
