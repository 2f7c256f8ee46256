import { type AvailabilityBody, typeHoursSchema } from '#contract/availability/opening-hours.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { formatDayHours, toClocks, WEEKDAYS_FROM_MONDAY } from '#web/areas/availability/opening-hours/week.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'

/** Says in words when customers can book a type with these hours. Source: rule T60. */
export function describeTypeHours(hours: readonly AvailabilityBody[], hourCycle: HourCycle): string {
  if (hours.length === 0) return 'Customers can book this type whenever the calendar is open.'
  if (!typeHoursSchema.safeParse(hours).success) return 'Customers can book this type only at these hours.'
  const days = WEEKDAYS_FROM_MONDAY.flatMap((day) => {
    const ranges = hours.filter(({ day_of_week }) => day_of_week === day).map(toClocks)
    ranges.sort((a, b) => a.start.localeCompare(b.start))
    return ranges.length === 0 ? [] : [`${formatDayOfWeek(day)} ${formatDayHours(ranges, hourCycle)}`]
  })
  return `Customers can book this type on ${days.join('; ')}, when the calendar is open too.`
}
