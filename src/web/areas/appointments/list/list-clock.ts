import {
  browserTimeZone,
  formatTime,
  formatWeekday,
  localDateOf,
  zoneAbbreviation,
} from '#web/shared/format-date.ts'
import { hasSameLocalTime } from '#web/shared/page-clock.ts'
import type { DayAppointment } from './saved-day.ts'

/**
 * Returns the time zone for a list over several calendars: their common zone, or the browser's zone if their zones differ.
 * All dates and times in the list can then be compared. Source: rules V13 and Y14.
 */
export function chooseListTimeZone(zones: readonly string[]): string {
  const [zone, ...others] = new Set(zones)
  return zone === undefined || others.length > 0 ? browserTimeZone() : zone
}

/**
 * Formats a start in its own calendar's zone: `9:00 AM EST`, or `Tue, 10:00 PM NZDT` if the date differs. Returns null if
 * the clock time is the same in the list's zone.
 */
export function formatInOwnTimeZone(
  { starts_at, time_zone, hour_cycle }: Pick<DayAppointment, 'starts_at' | 'time_zone' | 'hour_cycle'>,
  listZone: string,
): string | null {
  if (hasSameLocalTime(starts_at, time_zone, listZone)) return null
  const date = localDateOf(starts_at, time_zone)
  const day = date === localDateOf(starts_at, listZone) ? '' : `${formatWeekday(date)}, `
  return `${day}${formatTime(starts_at, time_zone, hour_cycle)} ${zoneAbbreviation(time_zone, starts_at)}`
}
