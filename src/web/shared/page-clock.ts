import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { browserTimeZone, formatTime, formatZone, localDateOf, localTimeOf } from './format-date.ts'

/** The time zone and the clock of a page, and the zones in which its reader may expect times instead. */
export type PageTimeZone = {
  readonly timeZone: string
  readonly hourCycle: HourCycle
  readonly readerZones: readonly string[]
}

type Zones = Pick<
  PublicAppointment,
  'starts_at' | 'time_zone' | 'hour_cycle' | 'customer_time_zone' | 'is_online'
>

/**
 * Returns the time zone of a page about one appointment: the zone in which the customer chose the time. If `chosen` is null, the
 * customer's zone for online appointments, and the calendar's zone for all others. If both clocks agree, the calendar's zone.
 * Source: rules T21 and B31.
 */
export function choosePageTimeZone(
  appointment: Zones,
  chosen: 'visitor' | 'calendar' | null = null,
): PageTimeZone {
  const { starts_at, time_zone } = appointment
  const own = customerTimeZone(appointment)
  const isOwn = (chosen ?? (appointment.is_online ? 'visitor' : 'calendar')) === 'visitor'
  return {
    timeZone: isOwn && !hasSameLocalTime(starts_at, own, time_zone) ? own : time_zone,
    hourCycle: appointment.hour_cycle,
    readerZones: [time_zone, own, browserTimeZone()],
  }
}

/** Returns the time zone in which a customer reads times: their own if known, else the calendar's. Source: rule T22. */
export function customerTimeZone({
  customer_time_zone,
  time_zone,
}: Pick<Zones, 'customer_time_zone' | 'time_zone'>): string {
  return customer_time_zone ?? time_zone
}

/**
 * Formats a time in the page's zone, with the date if `formatDay` is given. Adds the zone if the clock differs in one of the
 * reader's zones: `Dec 1, 2026, 9:30 AM London time (GMT)`. Source: rule T37.
 */
export function formatInPageTimeZone(
  { timeZone, hourCycle, readerZones }: PageTimeZone,
  instant: string,
  formatDay?: (date: string) => string,
): string {
  const day = formatDay === undefined ? [] : [formatDay(localDateOf(instant, timeZone))]
  const isPlain = readerZones.every((zone) => hasSameLocalTime(instant, timeZone, zone))
  const time = formatTime(instant, timeZone, hourCycle)
  return [...day, isPlain ? time : `${time} ${formatZone(timeZone, instant)}`].join(', ')
}

/** True when two zones have the same date and clock time at an instant. */
export function hasSameLocalTime(instant: string, oneZone: string, otherZone: string): boolean {
  return (
    oneZone === otherZone ||
    (localTimeOf(instant, oneZone) === localTimeOf(instant, otherZone) &&
      localDateOf(instant, oneZone) === localDateOf(instant, otherZone))
  )
}
