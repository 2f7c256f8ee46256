import {
  browserTimeZone,
  formatTime,
  formatWeekday,
  localDateOf,
  zoneAbbreviation,
} from '#web/shared/format-date.ts'
import { clocksAgree } from '#web/shared/page-clock.ts'
import type { DayAppointment } from './kept-day.ts'

/**
 * The zone on whose clock a list over several calendars is written: that of all its calendars, else the browser's, so that every day
 * and time can be compared. Source: rule Y14.
 */
export function listClockOf(appointments: readonly Pick<DayAppointment, 'time_zone'>[]): string {
  const [zone, ...others] = new Set(appointments.map(({ time_zone }) => time_zone))
  return zone === undefined || others.length > 0 ? browserTimeZone() : zone
}

/** `9:00 AM EST`, or `Tue, 10:00 PM NZDT`: a start on the clock of its own calendar; null where that reads as in the list. */
export function ownClockOf({ starts_at, time_zone }: DayAppointment, listZone: string): string | null {
  if (clocksAgree(starts_at, time_zone, listZone)) return null
  const date = localDateOf(starts_at, time_zone)
  const day = date === localDateOf(starts_at, listZone) ? '' : `${formatWeekday(date)}, `
  return `${day}${formatTime(starts_at, time_zone)} ${zoneAbbreviation(time_zone, starts_at)}`
}
