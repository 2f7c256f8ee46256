import { formatInstant } from './format-instant.ts'

/** `Tuesday`: a day of every week, 0 Sunday to 6 Saturday. */
export function formatDayOfWeek(day: number): string {
  // January 4, 1970, was a Sunday.
  return formatInstant(Date.UTC(1970, 0, 4 + day), { weekday: 'long', timeZone: 'UTC' })
}
