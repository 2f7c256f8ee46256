import { toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS, SECOND_MS } from '#core/shared/duration.ts'
import { offsetMsAt, toEpochMs } from '#core/shared/zoned-time.ts'

/**
 * How a typed clock time was read: `skipped` when the clocks go forward over it, so that another time is meant;
 * `repeated` when they go back over it, so that the first of two is meant. Source: rule O4.
 */
export type ClockReading = {
  readonly startsAtMs: number
  readonly reading: 'once' | 'skipped' | 'repeated'
}

/**
 * Reads a date (yyyy-MM-dd) and seconds from 00:00 on the clocks of a zone. Source: rule T2.
 * @throws RangeError when the zone is unknown or the date is not one of 1970 to 2200
 */
export function readClock(date: string, secondsOfDay: number, timeZone: string): ClockReading {
  const startsAtMs = toEpochMs(date, secondsOfDay, timeZone)
  const wallMs = toDayNumber(date) * DAY_MS + secondsOfDay * SECOND_MS
  if (startsAtMs + offsetMsAt(timeZone, startsAtMs) !== wallMs) return { startsAtMs, reading: 'skipped' }
  // No zone changes its clocks twice within a day, so the offset a day later is the only other candidate.
  const laterOffsetMs = offsetMsAt(timeZone, startsAtMs + DAY_MS)
  const againMs = wallMs - laterOffsetMs
  const isRepeated = againMs > startsAtMs && offsetMsAt(timeZone, againMs) === laterOffsetMs
  return { startsAtMs, reading: isRepeated ? 'repeated' : 'once' }
}
