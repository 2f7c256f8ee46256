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

/** A dragged start or end of a range snaps to this many minutes, which is also the shortest range that a drag leaves. */
const DRAG_STEP_MINUTES = 15

/**
 * Moves the start or end of one range of a day to a dragged time, as far as the other end of the range and the other
 * ranges of the day leave room. `minutes` is counted from midnight.
 */
export function moveEdge<Range extends ClockRange & { readonly id: string }>(
  ranges: readonly Range[],
  moved: Range,
  { edge, minutes }: { readonly edge: 'start' | 'end'; readonly minutes: number },
): Range {
  const others = ranges.filter(({ id }) => id !== moved.id)
  const isStart = edge === 'start'
  const before = others.map(({ end }) => end).filter((end) => end <= moved.start)
  const after = others.map(({ start }) => start).filter((start) => start >= moved.end)
  const lowest = isStart ? Math.max(0, ...before.map(toMinutes)) : toMinutes(moved.start) + DRAG_STEP_MINUTES
  const highest = isStart
    ? toMinutes(moved.end) - DRAG_STEP_MINUTES
    : Math.min(1_440, ...after.map(toMinutes))
  // A shorter range stays unchanged.
  if (lowest > highest) return moved
  const snapped = Math.round(minutes / DRAG_STEP_MINUTES) * DRAG_STEP_MINUTES
  return { ...moved, [edge]: formatMinutesAsClock(Math.min(Math.max(snapped, lowest), highest)) }
}

function toMinutes(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
}

/** Formats minutes from midnight as a clock time, HH:mm; 1,440 minutes are 24:00. */
export function formatMinutesAsClock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => `${part}`.padStart(2, '0')).join(':')
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
