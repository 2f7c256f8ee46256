/** A clock-time range within a weekday, as sortable text: `09:00` and `24:00`, or both with seconds. */
export type ClockRange = { readonly start: string; readonly end: string }

/**
 * Returns the first range that overlaps a new one, or null. Ranges that only touch do not overlap: a day can have
 * adjacent openings. Source: rule T25.
 */
export function findOverlap<Range extends ClockRange>(
  ranges: readonly Range[],
  added: ClockRange,
): Range | null {
  return ranges.find(({ start, end }) => start < added.end && added.start < end) ?? null
}
