import type { Availability } from '#contract/availability/opening-hours.ts'
import type { SpecialDaysEntry } from '#contract/availability/special-days.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { dayOfWeek } from '#core/shared/zoned-time.ts'
import { formatDay, formatShortDay } from '#web/shared/format-date.ts'
import { formatRange, listRangesOfDay, type OpeningRange } from './week.ts'

type Days = Pick<SpecialDaysEntry, 'first_date' | 'last_date'>
export type DaysWithAppointments = Days & Pick<SpecialDaysEntry, 'appointments'>

/**
 * Formats days as parts between which a line may break: `Thu, Dec 24, 2026`, or `Thu, Dec 24 –` and `Thu, Dec 31, 2026`. The
 * first date has a year only when the two years differ.
 */
export function formatDaysAsParts({ first_date, last_date }: Days): string[] {
  const last = formatDay(last_date, WITH_YEAR)
  if (first_date === last_date) return [last]
  const isOneYear = first_date.slice(0, 4) === last_date.slice(0, 4)
  const first = isOneYear ? formatShortDay(first_date) : formatDay(first_date, WITH_YEAR)
  return [`${first} –`, last]
}

const WITH_YEAR = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' } as const

/** Formats hours as parts between which a line may break: `Closed`, or `10:00 AM – 1:00 PM,` and `2:00 PM – 4:00 PM`. */
export function formatHoursAsParts(hours: readonly OpeningRange[], hourCycle: HourCycle): string[] {
  if (hours.length === 0) return ['Closed']
  return hours.map((range, i) => formatRange(range, hourCycle) + (i < hours.length - 1 ? ',' : ''))
}

/** Returns the message that appointments on the changed days stay. Source: rule T36. */
export function describeRemainingAppointments({
  appointments,
  first_date,
  last_date,
}: DaysWithAppointments): string {
  const days = first_date === last_date ? 'this day' : 'these days'
  return appointments === 1
    ? `1 appointment on ${days} stays`
    : `${appointments} appointments on ${days} stay`
}

/** True when a date is closed. Special days override the weekly hours. Source: rule T34. */
export function isClosedOn(
  date: string,
  availability: readonly Availability[],
  specialDays: readonly SpecialDaysEntry[],
): boolean {
  const special = specialDays.find(({ first_date, last_date }) => first_date <= date && date <= last_date)
  return (special?.hours ?? listRangesOfDay(availability, dayOfWeek(date))).length === 0
}
