import { listDates, toDayNumber } from '#core/shared/calendar-date.ts'
import { addDays, localDateOf, toEpochMs } from '#core/shared/zoned-time.ts'
import type { OpenDay, Slot } from './slot.ts'

/** Days in a row in some zone. */
export type DayRange = { readonly firstDate: string; readonly dayCount: number }

/**
 * The days of the calendar's own zone that touch a range of days in the zone they are shown in: what has to be searched to
 * know every slot of that range. A visitor's day spans two calendar days as a rule (scheduling rule 12).
 */
export function calendarDaysOf(range: DayRange, shownZone: string, calendarZone: string): DayRange {
  if (shownZone === calendarZone) return range
  const startMs = toEpochMs(range.firstDate, 0, shownZone)
  const endMs = toEpochMs(addDays(range.firstDate, range.dayCount), 0, shownZone)
  const firstDate = localDateOf(startMs, calendarZone)
  const lastDate = localDateOf(endMs - 1, calendarZone)
  return { firstDate, dayCount: toDayNumber(lastDate) - toDayNumber(firstDate) + 1 }
}

/** The same slots under the dates on which they start in the shown zone: every date of the range, in order. */
export function groupByShownDay(days: readonly OpenDay[], range: DayRange, shownZone: string): OpenDay[] {
  const slotsOf = new Map<string, Slot[]>()
  for (const date of listDates(range.firstDate, range.dayCount)) slotsOf.set(date, [])
  for (const { slots } of days) {
    for (const slot of slots) slotsOf.get(localDateOf(slot.startsAtMs, shownZone))?.push(slot)
  }
  return [...slotsOf].map(([date, slots]) => ({ date, slots }))
}
