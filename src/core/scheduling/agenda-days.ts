import { isDate, listDates, toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { zoneOffsets } from '#core/shared/zone-offsets.ts'
import { toEpochMs, wholeDays } from '#core/shared/zoned-time.ts'
import { listOpeningTimes, type OpeningHours } from './opening-times.ts'
import type { DayRange } from './shown-days.ts'

/** A calendar day in its real length: 23 or 25 hours when the clocks change. */
export type AgendaDay = Interval & {
  readonly date: string
  /** When the clocks read 12:00. Days of every length are laid side by side on this instant. */
  readonly noonMs: number
  readonly openings: readonly Interval[]
}

const NOON_SECONDS = 12 * 60 * 60

/**
 * Lists the days of a range with the openings on them; an opening that reaches over midnight is on both days.
 * Source: rule V7.
 */
export function listAgendaDays(
  { firstDate, dayCount }: DayRange,
  timeZone: string,
  hours: OpeningHours,
): AgendaDay[] {
  const firstDay = toDayNumber(firstDate)
  const zone = zoneOffsets(timeZone, (firstDay - 3) * DAY_MS, (firstDay + dayCount + 3) * DAY_MS)
  const openings = listOpeningTimes(hours, zone, firstDay - 1, dayCount + 2)
  // The range may begin in the last days of the supported years.
  const dates = listDates(firstDate, dayCount).filter(isDate)
  return dates.map((date) => {
    const { startMs, endMs } = wholeDays(date, date, timeZone)
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
