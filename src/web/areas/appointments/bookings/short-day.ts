import { formatDay } from '#web/shared/format-date.ts'

/** `Tue, Dec 1`, which fits one line of a phone with its time. */
export function formatShortDay(date: string): string {
  return formatDay(date, { weekday: 'short', month: 'short', day: 'numeric' })
}
