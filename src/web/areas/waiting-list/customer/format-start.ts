import type { WaitingView } from '#contract/waiting-list/waiting-list.ts'
import { browserTimeZone, formatDateHeading, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { formatOnClock } from '#web/shared/page-clock.ts'

/** `Tuesday, December 1, 9:30 AM`, in the given zone. */
export function formatStart(instant: string, timeZone: string): string {
  return `${formatDateHeading(localDateOf(instant, timeZone))}, ${formatTime(instant, timeZone)}`
}

/** A deadline in the time zone of the request, which is also the first zone of the offered time. Source: rule T37. */
export function formatDeadline(instant: string, { customer_time_zone, time_zone }: WaitingView): string {
  const readerZones = [customer_time_zone, time_zone, browserTimeZone()]
  return formatOnClock({ timeZone: customer_time_zone, readerZones }, instant, formatDateHeading)
}
