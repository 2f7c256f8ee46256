import type { Calendar, CalendarOutlook } from '#contract/calendars/calendars.ts'
import type { ReminderValues } from '#core/messages/reminder-template.ts'
import { addDays, toEpochMs } from '#core/shared/zoned-time.ts'
import { formatDateHeading, formatTime, localDateOf, zoneAbbreviation } from '#web/shared/format-date.ts'

type PreviewAppointment = NonNullable<CalendarOutlook['next_appointment']>

const TEN_O_CLOCK_SECONDS = 10 * 60 * 60

/** An example appointment tomorrow at ten, for a calendar that has none. */
export function makeSampleAppointment({ timezone }: Calendar, now: Date): PreviewAppointment {
  const tomorrow = addDays(localDateOf(now.toISOString(), timezone), 1)
  return {
    customer_name: 'Alex Morgan',
    starts_at: new Date(toEpochMs(tomorrow, TEN_O_CLOCK_SECONDS, timezone)).toISOString(),
    time_zone: timezone,
  }
}

/** The values of the placeholders. Date and time are in the customer's zone, and the time names it. */
export function toReminderValues(calendar: Calendar, appointment: PreviewAppointment): ReminderValues {
  const { starts_at, time_zone } = appointment
  return {
    customer_name: appointment.customer_name,
    date: inFull(starts_at, time_zone),
    time: `${formatTime(starts_at, time_zone)} (${zoneAbbreviation(time_zone, starts_at)})`,
    calendar_name: calendar.name,
  }
}

/** When a reminder is due, on the calendar's clock: `9:30 AM on Monday, November 30, 2026`. */
export function describeDue(startsAt: string, hours: number, timeZone: string): string {
  const due = new Date(Date.parse(startsAt) - hours * 3_600_000).toISOString()
  return `${formatTime(due, timeZone)} on ${inFull(due, timeZone)}`
}

/** `Tuesday, December 1, 2026` */
function inFull(instant: string, timeZone: string): string {
  const date = localDateOf(instant, timeZone)
  return `${formatDateHeading(date)}, ${date.slice(0, 4)}`
}
