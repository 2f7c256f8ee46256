import { formatDateHeading, formatTime, localDateOf } from '#web/shared/format-date.ts'

/** `Tuesday, December 1, 9:30 AM`, on the clock of a zone. */
export function formatStart(instant: string, timeZone: string): string {
  return `${formatDateHeading(localDateOf(instant, timeZone))}, ${formatTime(instant, timeZone)}`
}
