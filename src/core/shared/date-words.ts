import { toDayNumber } from './calendar-date.ts'
import { DAY_MS } from './duration.ts'
import { LOCALE } from './locale.ts'

const LONG = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
const LONG_DATE = new Intl.DateTimeFormat(LOCALE, LONG)
const FULL_DATE = new Intl.DateTimeFormat(LOCALE, { ...LONG, weekday: 'long' })

/** Puts a date (yyyy-MM-dd) into words for sentences of the core, such as `March 12, 2027`. */
export function nameDate(date: string): string {
  return LONG_DATE.format(toDayNumber(date) * DAY_MS)
}

/** Puts a date into words with its weekday: `Friday, March 12, 2027`. */
export function nameDateWithWeekday(date: string): string {
  return FULL_DATE.format(toDayNumber(date) * DAY_MS)
}
