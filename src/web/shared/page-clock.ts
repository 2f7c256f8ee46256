import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import { browserTimeZone, formatTime, formatZone, localDateOf } from './format-date.ts'

/** The clock on which a page writes every time, and the zones whose clocks its reader may go by instead. */
export type PageClock = { readonly timeZone: string; readonly readerZones: readonly string[] }

type Zones = Pick<PublicAppointment, 'starts_at' | 'time_zone' | 'customer_time_zone' | 'is_online'>

/**
 * The clock of a page about one appointment: the customer's own online, else that of the calendar, unless the customer chose
 * the time on the other one. Where both read the same, the zone is called by the name of the calendar's. Source: rules T21 and B31.
 */
export function pageClockOf(appointment: Zones, chosen: 'visitor' | 'calendar' | null = null): PageClock {
  const { starts_at, time_zone } = appointment
  const own = appointment.customer_time_zone ?? time_zone
  const isOwn = (chosen ?? (appointment.is_online ? 'visitor' : 'calendar')) === 'visitor'
  return {
    timeZone: isOwn && !clocksAgree(starts_at, own, time_zone) ? own : time_zone,
    readerZones: [time_zone, own, browserTimeZone()],
  }
}

/**
 * A time on the clock of a page, with its day where `formatDay` is given. It names its zone where a clock of the reader reads
 * another time: `Dec 1, 2026, 9:30 AM London time (GMT)`. Source: rule T37.
 */
export function formatOnClock(
  { timeZone, readerZones }: PageClock,
  instant: string,
  formatDay?: (date: string) => string,
): string {
  const day = formatDay === undefined ? [] : [formatDay(localDateOf(instant, timeZone))]
  const isPlain = readerZones.every((zone) => clocksAgree(instant, timeZone, zone))
  const time = formatTime(instant, timeZone)
  return [...day, isPlain ? time : `${time} ${formatZone(timeZone, instant)}`].join(', ')
}

/** Whether the clocks of two zones read the same day and time at an instant. */
export function clocksAgree(instant: string, oneZone: string, otherZone: string): boolean {
  return (
    formatTime(instant, oneZone) === formatTime(instant, otherZone) &&
    localDateOf(instant, oneZone) === localDateOf(instant, otherZone)
  )
}
