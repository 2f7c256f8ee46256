import { addDays, dayNumberToDate, toDayNumber } from './calendar-date.ts'
import { DAY_MS, SECOND_MS } from './duration.ts'
import type { Interval } from './interval.ts'
import {
  findOffsetPeriodIndex,
  getZoneOffsets,
  isInOffsetTableRange,
  wallTimeToEpochMs,
} from './zone-offsets.ts'
import { makeUtcOffsetLookup } from './zone-probe.ts'

export { addDays, dayOfWeek, isDate } from './calendar-date.ts'
export { isTimeZone } from './zone-probe.ts'

/**
 * Converts a date and clock time in a zone to an instant. A time that occurs twice means the first; a skipped time uses
 * the offset before the gap. `secondsOfDay` is a clock reading, not elapsed time: 43200 is always noon, and 86400
 * (24:00) is 00:00 of the next day. Source: RFC 5545 §3.3.5, Temporal's `compatible`; rule T2.
 * @throws RangeError when the zone is unknown or the date is outside 1970 to 2200
 */
export function toEpochMs(date: string, secondsOfDay: number, timeZone: string): number {
  const wallMs = toDayNumber(date) * DAY_MS + secondsOfDay * SECOND_MS
  return wallTimeToEpochMs(getZoneOffsets(timeZone, wallMs - 2 * DAY_MS, wallMs + 2 * DAY_MS), wallMs)
}

/**
 * Local clock minus UTC at an instant, in milliseconds; positive east of Greenwich.
 * @throws RangeError when the zone is unknown
 */
export function utcOffsetMsAt(timeZone: string, epochMs: number): number {
  if (!isInOffsetTableRange(epochMs)) return makeUtcOffsetLookup(timeZone)(epochMs)
  const zone = getZoneOffsets(timeZone, epochMs, epochMs)
  return zone.offsetMs[findOffsetPeriodIndex(zone, epochMs)] ?? 0
}

/** Returns the local date of an instant, yyyy-MM-dd. */
export function localDateOf(epochMs: number, timeZone: string): string {
  return dayNumberToDate(Math.floor((epochMs + utcOffsetMsAt(timeZone, epochMs)) / DAY_MS))
}

/** Converts a clock time, HH:mm, to seconds of the day: `24:00` is 86400. Ignores seconds. */
export function toSecondsOfDay(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 3_600 + minutes * 60
}

/**
 * Returns the interval of some local days, both inclusive: from the first midnight to the midnight after the last day.
 */
export function toWholeDaysInterval(firstDate: string, lastDate: string, timeZone: string): Interval {
  return { startMs: toEpochMs(firstDate, 0, timeZone), endMs: toEpochMs(addDays(lastDate, 1), 0, timeZone) }
}

/**
 * Returns the local clock time of an instant, HH:mm:ss. Around a clock change two instants can have the same clock
 * time.
 */
export function localTimeOf(epochMs: number, timeZone: string): string {
  const wallMs = epochMs + utcOffsetMsAt(timeZone, epochMs)
  return toClock(wallMs - Math.floor(wallMs / DAY_MS) * DAY_MS)
}

/** Formats an instant as RFC 3339 in UTC, `2026-12-01T09:00:00Z`; includes milliseconds only when they are not zero. */
export function toRfc3339(epochMs: number): string {
  const day = Math.floor(epochMs / DAY_MS)
  const msOfDay = epochMs - day * DAY_MS
  if (msOfDay % SECOND_MS !== 0) return new Date(epochMs).toISOString()
  return `${dayNumberToDate(day)}T${toClock(msOfDay)}Z`
}

/** Formats milliseconds since midnight as HH:mm:ss, rounding down. */
function toClock(msOfDay: number): string {
  const seconds = Math.floor(msOfDay / SECOND_MS)
  const minutes = Math.floor(seconds / 60)
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}
