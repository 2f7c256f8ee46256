/** A half-open interval `[startMs, endMs)` in epoch milliseconds. Empty when the end is not after the start. */
export type Interval = { readonly startMs: number; readonly endMs: number }

/** True when two intervals overlap. Touching intervals do not, and an empty interval overlaps nothing. */
export function overlaps(a: Interval, b: Interval): boolean {
  return Math.max(a.startMs, b.startMs) < Math.min(a.endMs, b.endMs)
}

/** Removes the first interval equal to `left`. Other equal intervals stay. */
export function removeInterval(intervals: readonly Interval[], left: Interval): readonly Interval[] {
  const at = intervals.findIndex((interval) => isSameInterval(interval, left))
  return at === -1 ? intervals : intervals.toSpliced(at, 1)
}

/** True when an instant lies in any of the intervals. */
export function isInAnyInterval(intervals: readonly Interval[], atMs: number): boolean {
  return intervals.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs)
}

export function isSameInterval(a: Interval, b: Interval): boolean {
  return a.startMs === b.startMs && a.endMs === b.endMs
}

/** Joins intervals that overlap or touch; returns the rest in order. */
export function uniteIntervals(intervals: readonly Interval[]): Interval[] {
  const united: Interval[] = []
  for (const { startMs, endMs } of intervals.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = united.at(-1)
    if (last === undefined || startMs > last.endMs) united.push({ startMs, endMs })
    else united[united.length - 1] = { startMs: last.startMs, endMs: Math.max(last.endMs, endMs) }
  }
  return united
}

/** Subtracts intervals from another one; returns the remaining parts in order. */
export function subtractIntervals(whole: Interval, others: readonly Interval[]): Interval[] {
  let rest = whole.startMs < whole.endMs ? [{ startMs: whole.startMs, endMs: whole.endMs }] : []
  for (const { startMs, endMs } of others.filter((other) => other.startMs < other.endMs)) {
    rest = rest.flatMap((part) =>
      [
        { startMs: part.startMs, endMs: Math.min(part.endMs, startMs) },
        { startMs: Math.max(part.startMs, endMs), endMs: part.endMs },
      ].filter((left) => left.startMs < left.endMs),
    )
  }
  return rest
}
