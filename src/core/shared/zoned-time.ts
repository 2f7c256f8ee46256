import { toDate, toDayNumber } from './calendar-date.ts'
import { DAY_MS, SECOND_MS } from './duration.ts'
import { isTabled, stretchAt, wallToEpochMs, zoneOffsets } from './zone-offsets.ts'
import { makeOffsetProbe } from './zone-probe.ts'

export { addDays, dayOfWeek, isDate } from './calendar-date.ts'
export { isTimeZone } from './zone-probe.ts'

/**
 * The instant at which the clocks of a zone read a time on a date. A time that occurs twice means the first; one that
 * does not occur is read with the offset before the gap. `secondsOfDay` counts clock readings, not elapsed time: 43200
 * is noon on every day, and 86400 (24:00) is the next day's 00:00.
 *
 * Source: RFC 5545 §3.3.5, Temporal's `compatible`.
 * @throws RangeError when the zone is unknown or the date is not one of 1970 to 2200
 */
export function toEpochMs(date: string, secondsOfDay: number, timeZone: string): number {
  const wallMs = toDayNumber(date) * DAY_MS + secondsOfDay * SECOND_MS
  return wallToEpochMs(zoneOffsets(timeZone, wallMs - 2 * DAY_MS, wallMs + 2 * DAY_MS), wallMs)
}

/**
 * Local clock minus UTC at an instant, in milliseconds: positive east of Greenwich.
 *
 * @throws RangeError when the zone is unknown
 */
export function offsetMsAt(timeZone: string, epochMs: number): number {
  if (!isTabled(epochMs)) return makeOffsetProbe(timeZone)(epochMs)
  const zone = zoneOffsets(timeZone, epochMs, epochMs)
  return zone.offsetMs[stretchAt(zone, epochMs)] ?? 0
}

/** The calendar day, yyyy-MM-dd, on which an instant falls in a zone. */
export function localDateOf(epochMs: number, timeZone: string): string {
  return toDate(Math.floor((epochMs + offsetMsAt(timeZone, epochMs)) / DAY_MS))
}

/** The wall clock, HH:mm:ss, of a zone at an instant. Near a change of clocks two instants may share one reading. */
export function localTimeOf(epochMs: number, timeZone: string): string {
  return new Date(epochMs + offsetMsAt(timeZone, epochMs)).toISOString().slice(11, 19)
}
