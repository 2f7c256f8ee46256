import { listOpeningIntervals, type OpeningHours } from '#core/availability/opening-times.ts'
import { isDate, listDates, toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { getZoneOffsets } from '#core/shared/zone-offsets.ts'
import { toEpochMs, toWholeDaysInterval } from '#core/shared/zoned-time.ts'
import type { DayRange } from '#core/slots/displayed-days.ts'

/** One calendar day with its real length: 23 or 25 hours when the clocks change. */
export type AgendaDay = Interval & {
  readonly date: string
  /** Local noon. Columns of days with different lengths are aligned on it. */
  readonly noonMs: number
  readonly openings: readonly Interval[]
}

const NOON_SECONDS = 12 * 60 * 60

/** Lists the days of a range with their openings; an opening across midnight appears on both days. Source: rule V7. */
export function listAgendaDays(
  { firstDate, dayCount }: DayRange,
  timeZone: string,
  hours: OpeningHours,
): AgendaDay[] {
  const firstDay = toDayNumber(firstDate)
  const zone = getZoneOffsets(timeZone, (firstDay - 3) * DAY_MS, (firstDay + dayCount + 3) * DAY_MS)
  const openings = listOpeningIntervals(hours, zone, firstDay - 1, dayCount + 2)
  // The range can extend past the supported years.
  const dates = listDates(firstDate, dayCount).filter(isDate)
  return dates.map((date) => {
    const { startMs, endMs } = toWholeDaysInterval(date, date, timeZone)
    return {
      date,
      startMs,
      endMs,
      noonMs: toEpochMs(date, NOON_SECONDS, timeZone),
      openings: openings
        .map((opening) => ({
          startMs: Math.max(opening.startMs, startMs),
          endMs: Math.min(opening.endMs, endMs),
        }))
        .filter((opening) => opening.startMs < opening.endMs),
    }
  })
}
