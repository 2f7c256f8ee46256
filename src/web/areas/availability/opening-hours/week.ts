import type { Availability, AvailabilityBody, DayHoursBody } from '#contract/availability/opening-hours.ts'
import { type DayHours, formatMinutesAsClock } from '#core/availability/day-hours.ts'
import { type ClockRange, findOverlap } from '#core/availability/overlapping-ranges.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { formatClock } from '#web/shared/format-clock.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'

/** The weekdays in display order, Monday first; Sunday is 0 (rule T1). */
export const WEEKDAYS_FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0] as const

/** Returns the ranges of one weekday, sorted by start. */
export function listRangesOfDay(availability: readonly Availability[], day: number): Availability[] {
  return availability
    .filter((range) => range.day_of_week === day)
    .toSorted((a, b) => a.start_time.localeCompare(b.start_time))
}

/** Returns the hours of one weekday, without seconds. */
export function toDayHours(availability: readonly Availability[], day: number): DayHours {
  return { dayOfWeek: day, ranges: listRangesOfDay(availability, day).map(toClocks) }
}

/** Converts the hours of a weekday to the form in which they are sent. */
export function toDayHoursBody({ dayOfWeek, ranges }: DayHours): DayHoursBody {
  return {
    day_of_week: dayOfWeek,
    ranges: ranges.map(({ start, end }) => ({ start_time: start, end_time: end })),
  }
}

/** Formats the hours of a weekday: `9:00 AM – 12:00 PM, 1:00 PM – 5:00 PM`, or `Closed`. */
export function formatDayHours(ranges: readonly ClockRange[], hourCycle: HourCycle): string {
  if (ranges.length === 0) return CLOSED
  return ranges
    .map(({ start, end }) => formatRange({ start_time: start, end_time: end }, hourCycle))
    .join(', ')
}

export const CLOSED = 'Closed'

/** Lists the names of up to two weekdays, else their number: `Tuesday`, `Tuesday and Friday`, `5 days`. */
export function formatDayNames(days: readonly number[]): string {
  return days.length > 2 ? `${days.length} days` : days.map(formatDayOfWeek).join(' and ')
}

/** Formats the start or end of a range: `9:00 AM`, or `midnight` for the end of a day. Accepts `HH:MM` and `HH:MM:SS`. */
export function formatRangeEnd(time: string, hourCycle: HourCycle): string {
  return time.startsWith('24:') ? 'midnight' : formatClock(time, hourCycle)
}

/** Formats a range: `9:00 AM – 5:00 PM`. */
export function formatRange(
  { start_time, end_time }: Pick<Availability, 'start_time' | 'end_time'>,
  hourCycle: HourCycle,
): string {
  return `${formatRangeEnd(start_time, hourCycle)} – ${formatRangeEnd(end_time, hourCycle)}`
}

/** Converts a clock time to hours from midnight, 0 to 24. */
export function clockTimeToHours(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours + minutes / 60
}

/** Finds a range on the same day that overlaps `entry`. Returns null if there is none. */
export function findOverlappingRange(
  availability: readonly Availability[],
  entry: AvailabilityBody,
): Availability | null {
  const taken = listRangesOfDay(availability, entry.day_of_week).map((range) => ({
    ...toClocks(range),
    range,
  }))
  return findOverlap(taken, toClocks(entry))?.range ?? null
}

/** Returns start and end without seconds. */
export function toClocks({
  start_time,
  end_time,
}: Pick<Availability, 'start_time' | 'end_time'>): ClockRange {
  return { start: start_time.slice(0, 5), end: end_time.slice(0, 5) }
}

/** Removes the seconds, which time inputs do not have. */
export function removeSeconds<Range extends OpeningRange>(range: Range): Range {
  return { ...range, start_time: range.start_time.slice(0, 5), end_time: range.end_time.slice(0, 5) }
}

/**
 * Returns the weekday with which the form for a new range starts: the first closed day from Monday on, because the suggested
 * hours would overlap on an open day. Source: rule T28.
 */
export function suggestDayToOpen(availability: readonly Availability[]): number {
  return (
    WEEKDAYS_FROM_MONDAY.find((day) => listRangesOfDay(availability, day).length === 0) ??
    WEEKDAYS_FROM_MONDAY[0]
  )
}

export type OpeningRange = { start_time: string; end_time: string }

/** The hours with which a form starts (rule T28). */
export const DEFAULT_OPENING_RANGE: OpeningRange = { start_time: '09:00', end_time: '17:00' }

/** Suggests a free range: nine to five if possible, otherwise the hour after or before the existing ranges. */
export function suggestOpeningRange(ranges: readonly OpeningRange[]): OpeningRange {
  const taken = ranges.map(toClocks)
  const [first, last] = [taken[0], taken.at(-1)]
  if (first === undefined || last === undefined) return DEFAULT_OPENING_RANGE
  const candidates = [
    { start: '09:00', end: '17:00' },
    { start: last.end, end: toClock(Math.min(clockTimeToHours(last.end) + 1, 24)) },
    { start: toClock(Math.max(clockTimeToHours(first.start) - 1, 0)), end: first.start },
  ]
  const free = candidates.find((range) => range.start < range.end && findOverlap(taken, range) === null)
  return free === undefined ? DEFAULT_OPENING_RANGE : { start_time: free.start, end_time: free.end }
}

function toClock(hours: number): string {
  return formatMinutesAsClock(Math.round(hours * 60))
}
