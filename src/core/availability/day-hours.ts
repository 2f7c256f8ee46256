import { type ClockRange, findOverlap } from './overlapping-ranges.ts'

/** The opening hours of one weekday, sorted by start. A day without ranges is closed. */
export type DayHours = {
  /** 0 = Sunday … 6 = Saturday. */
  readonly dayOfWeek: number
  readonly ranges: readonly ClockRange[]
}

/**
 * Removes a break from the ranges of a day: a range around the break becomes two, and a range within it disappears.
 * Ranges that only touch the break do not change. Source: rule T44.
 */
export function cutOutBreak(ranges: readonly ClockRange[], pause: ClockRange): ClockRange[] {
  return ranges.flatMap(({ start, end }) => {
    if (findOverlap([{ start, end }], pause) === null) return [{ start, end }]
    return [
      { start, end: pause.start },
      { start: pause.end, end },
    ].filter((rest) => rest.start < rest.end)
  })
}

type ChangedRange<Range> =
  | { readonly ok: true; readonly ranges: Range[] }
  | { readonly ok: false; readonly overlapped: Range }

/**
 * Gives one range of a day other times, and sorts the day again. Refuses times that overlap another range of the day.
 * Source: rule T25.
 */
export function changeRange<Range extends ClockRange & { readonly id: string }>(
  ranges: readonly Range[],
  changed: Range,
): ChangedRange<Range> {
  const others = ranges.filter(({ id }) => id !== changed.id)
  const overlapped = findOverlap(others, changed)
  if (overlapped !== null) return { ok: false, overlapped }
  return { ok: true, ranges: sortByStart([...others, changed]) }
}

/** Gives weekdays the hours of another weekday. Copying a closed day closes the others. Source: rule T26. */
export function copyDay(
  week: readonly DayHours[],
  fromDay: number,
  toDays: readonly number[],
): readonly DayHours[] {
  const ranges = week.find(({ dayOfWeek }) => dayOfWeek === fromDay)?.ranges ?? []
  return [...new Set(toDays)].map((dayOfWeek) => ({ dayOfWeek, ranges }))
}

/** True when two ranges of a day overlap. Ranges that only touch do not overlap. Source: rule T25. */
export function hasOverlap(ranges: readonly ClockRange[]): boolean {
  return ranges.some((range, index) => findOverlap(ranges.slice(index + 1), range) !== null)
}

/** Sorts ranges by their start. */
export function sortByStart<Range extends ClockRange>(ranges: readonly Range[]): Range[] {
  return ranges.toSorted((a, b) => (a.start < b.start ? -1 : 1))
}
