import type { CustomerWaitingRequest } from '#contract/waiting-list/waiting-list.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { browserTimeZone, formatDateHeading, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { formatInPageTimeZone } from '#web/shared/page-clock.ts'

/** Formats an instant in the given time zone: `Tuesday, December 1, 9:30 AM`. */
export function formatStart(instant: string, timeZone: string, hourCycle: HourCycle): string {
  return `${formatDateHeading(localDateOf(instant, timeZone))}, ${formatTime(instant, timeZone, hourCycle)}`
}

/** Formats a deadline in the request's time zone, in which the offered time is shown first, too. Source: rule T37. */
export function formatDeadline(
  instant: string,
  { customer_time_zone, time_zone, hour_cycle: hourCycle }: CustomerWaitingRequest,
): string {
  const readerZones = [customer_time_zone, time_zone, browserTimeZone()]
  const clock = { timeZone: customer_time_zone, hourCycle, readerZones }
  return formatInPageTimeZone(clock, instant, formatDateHeading)
}
