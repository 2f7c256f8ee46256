/** A range of one weekday as clock readings that sort as text: `09:00` and `24:00`, or both with seconds. */
export type ClockRange = { readonly start: string; readonly end: string }

/**
 * The range that a new one would share time with, or null. Ranges that only touch do not overlap: a day may be opened
 * in parts that join.
 *
 * Source: rule T25.
 */
export function findOverlap<Range extends ClockRange>(
  ranges: readonly Range[],
  added: ClockRange,
): Range | null {
  return ranges.find(({ start, end }) => start < added.end && added.start < end) ?? null
}
