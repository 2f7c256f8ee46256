import { listOpeningIntervals, type OpeningHours } from '#core/availability/opening-times.ts'
import { isDate, listDates, toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { type Interval, uniteIntervals } from '#core/shared/interval.ts'
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

/** The opening hours of a calendar, and the time zone of their clock times. */
export type ZonedOpeningHours = OpeningHours & { readonly timeZone: string }

const NOON_SECONDS = 12 * 60 * 60
/** Dates begin up to 26 hours apart in different time zones, and an opening can end on the next date. */
const DAYS_AROUND = 3

/**
 * Lists the days of a range in a time zone, with the times when at least one of the calendars is open. An opening across midnight
 * appears on both days. Source: rule V7.
 */
export function listAgendaDays(
  { firstDate, dayCount }: DayRange,
  timeZone: string,
  calendars: readonly ZonedOpeningHours[],
): AgendaDay[] {
  const firstDay = toDayNumber(firstDate)
  const openings = calendars.flatMap((hours) => {
    const zone = getZoneOffsets(
      hours.timeZone,
      (firstDay - DAYS_AROUND) * DAY_MS,
      (firstDay + dayCount + DAYS_AROUND) * DAY_MS,
    )
    return listOpeningIntervals(hours, zone, firstDay - 2, dayCount + 4)
  })
  // The openings of one calendar stay separate where they touch, because each begins a grid of starts.
  const open = calendars.length > 1 ? uniteIntervals(openings) : openings
  // The range can extend past the supported years.
  const dates = listDates(firstDate, dayCount).filter(isDate)
  return dates.map((date) => {
    const { startMs, endMs } = toWholeDaysInterval(date, date, timeZone)
    return {
      date,
      startMs,
      endMs,
      noonMs: toEpochMs(date, NOON_SECONDS, timeZone),
      openings: open
        .map((opening) => ({
          startMs: Math.max(opening.startMs, startMs),
          endMs: Math.min(opening.endMs, endMs),
        }))
        .filter((opening) => opening.startMs < opening.endMs),
    }
  })
}
