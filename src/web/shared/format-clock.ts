import { LOCALE } from '#core/shared/locale.ts'
import { localTimeOf } from './format-date.ts'
import { formatInstant, getDateTimeFormat } from './format-instant.ts'

/** Formats a full hour of the day, 0 to 23: `9 AM`. */
export function formatHour(hour: number): string {
  return formatInstant(Date.UTC(1970, 0, 1, hour), { hour: 'numeric', timeZone: 'UTC' })
}

/** Formats a clock time (`HH:mm`, with or without seconds) that has no date and no zone: `9:30 AM`. */
export function formatClock(time: string): string {
  const at = new Date(`1970-01-01T${time.slice(0, 5)}:00Z`)
  return formatInstant(at, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
}

/** Formats a time range for narrow spaces: `9 – 10:30 AM` or `11 AM – 1 PM`. */
export function formatTimeRange(startIso: string, endIso: string, timeZone: string): string {
  const isSameHalf = isMorning(startIso, timeZone) === isMorning(endIso, timeZone)
  const start = isSameHalf
    ? withoutHalf(startIso, shortOptions(startIso, timeZone))
    : formatShortTime(startIso, timeZone)
  return `${start} – ${formatShortTime(endIso, timeZone)}`
}

/** Formats a time without minutes if the hour is full: `9 AM`, else `9:30 AM`. */
export function formatShortTime(instantIso: string, timeZone: string): string {
  return formatInstant(new Date(instantIso), shortOptions(instantIso, timeZone))
}

/** Formats a time without AM or PM, for texts whose position shows the half of the day: `11:00`. */
export function formatTimeWithoutAmPm(instantIso: string, timeZone: string): string {
  return withoutHalf(instantIso, { timeZone, hour: 'numeric', minute: '2-digit' })
}

function shortOptions(instantIso: string, timeZone: string): Intl.DateTimeFormatOptions {
  const isFullHour = localTimeOf(instantIso, timeZone).endsWith(':00')
  return { timeZone, hour: 'numeric', ...(isFullHour ? {} : { minute: '2-digit' }) }
}

function isMorning(instantIso: string, timeZone: string): boolean {
  return localTimeOf(instantIso, timeZone) < '12:00'
}

/** Formats a time and removes AM or PM. Languages with a 24-hour clock have neither. */
function withoutHalf(instantIso: string, options: Intl.DateTimeFormatOptions): string {
  const parts = getDateTimeFormat(LOCALE, options).formatToParts(new Date(instantIso))
  return parts
    .map(({ type, value }) => (type === 'dayPeriod' ? '' : value))
    .join('')
    .trim()
}
