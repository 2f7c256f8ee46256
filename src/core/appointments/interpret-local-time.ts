import { toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS, SECOND_MS } from '#core/shared/duration.ts'
import { toEpochMs, utcOffsetMsAt } from '#core/shared/zoned-time.ts'

/**
 * How a clock time was interpreted. `skipped`: the time does not exist because the clocks go forward, so a different
 * time is used. `repeated`: the time occurs twice because the clocks go back, so the first one is used. Source: rule
 * O4.
 */
export type InterpretedLocalTime = {
  readonly startsAtMs: number
  readonly reading: 'once' | 'skipped' | 'repeated'
}

/**
 * Converts a date (yyyy-MM-dd) and seconds since 00:00 in a time zone to an instant. Source: rule T2.
 * @throws RangeError when the zone is unknown or the date is outside 1970 to 2200
 */
export function interpretLocalTime(
  date: string,
  secondsOfDay: number,
  timeZone: string,
): InterpretedLocalTime {
  const startsAtMs = toEpochMs(date, secondsOfDay, timeZone)
  const wallMs = toDayNumber(date) * DAY_MS + secondsOfDay * SECOND_MS
  if (startsAtMs + utcOffsetMsAt(timeZone, startsAtMs) !== wallMs) return { startsAtMs, reading: 'skipped' }
  // No zone changes its clocks twice within a day, so the offset one day later is the only other candidate.
  const laterOffsetMs = utcOffsetMsAt(timeZone, startsAtMs + DAY_MS)
  const againMs = wallMs - laterOffsetMs
  const isRepeated = againMs > startsAtMs && utcOffsetMsAt(timeZone, againMs) === laterOffsetMs
  return { startsAtMs, reading: isRepeated ? 'repeated' : 'once' }
}
