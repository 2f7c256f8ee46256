import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { LOCALE } from '#core/shared/locale.ts'
import { formatTime, localTimeOf } from './format-date.ts'
import { formatInstant, getDateTimeFormat } from './format-instant.ts'

/** Formats a full hour of the day, 0 to 23: `9 AM`, or `09:00` on the 24-hour clock. */
export function formatHour(hour: number, hourCycle: HourCycle): string {
  return formatShortTime(new Date(Date.UTC(1970, 0, 1, hour)).toISOString(), 'UTC', hourCycle)
}

/** Formats a clock time (`HH:mm`, with or without seconds) that has no date and no zone: `9:30 AM` or `09:30`. */
export function formatClock(time: string, hourCycle: HourCycle): string {
  return formatTime(`1970-01-01T${time.slice(0, 5)}:00Z`, 'UTC', hourCycle)
}

/** Formats a time range for narrow spaces: `9 – 10:30 AM`, `11 AM – 1 PM`, or `09:00 – 10:30` on the 24-hour clock. */
export function formatTimeRange(
  startIso: string,
  endIso: string,
  timeZone: string,
  hourCycle: HourCycle,
): string {
  const isSameHalf = isMorning(startIso, timeZone) === isMorning(endIso, timeZone)
  const start = isSameHalf
    ? withoutHalf(startIso, shortOptions(startIso, timeZone, hourCycle))
    : formatShortTime(startIso, timeZone, hourCycle)
  return `${start} – ${formatShortTime(endIso, timeZone, hourCycle)}`
}

/** Formats a time without minutes if the hour is full: `9 AM`, else `9:30 AM`. The 24-hour clock always has minutes. */
export function formatShortTime(instantIso: string, timeZone: string, hourCycle: HourCycle): string {
  return formatInstant(new Date(instantIso), shortOptions(instantIso, timeZone, hourCycle))
}

/** Formats a time without AM or PM, for texts whose position shows the half of the day: `11:00`. */
export function formatTimeWithoutAmPm(instantIso: string, timeZone: string, hourCycle: HourCycle): string {
  return withoutHalf(instantIso, { timeZone, hour: 'numeric', minute: '2-digit', hourCycle })
}

function shortOptions(
  instantIso: string,
  timeZone: string,
  hourCycle: HourCycle,
): Intl.DateTimeFormatOptions {
  const isShort = hourCycle !== 'h23' && localTimeOf(instantIso, timeZone).endsWith(':00')
  return { timeZone, hour: 'numeric', ...(isShort ? {} : { minute: '2-digit' }), hourCycle }
}

function isMorning(instantIso: string, timeZone: string): boolean {
  return localTimeOf(instantIso, timeZone) < '12:00'
}

/** Formats a time and removes AM or PM, which the 24-hour clock does not have. */
function withoutHalf(instantIso: string, options: Intl.DateTimeFormatOptions): string {
  const parts = getDateTimeFormat(LOCALE, options).formatToParts(new Date(instantIso))
  return parts
    .map(({ type, value }) => (type === 'dayPeriod' ? '' : value))
    .join('')
    .trim()
}
