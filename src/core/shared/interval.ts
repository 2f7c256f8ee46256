/** A stretch of time, half-open: `[startMs, endMs)` in epoch milliseconds. Nothing lies in it when the end is not after the start. */
export type Interval = { readonly startMs: number; readonly endMs: number }

/** Whether two stretches share a moment. Stretches that only touch do not, and an empty one overlaps nothing. */
export function overlaps(a: Interval, b: Interval): boolean {
  return Math.max(a.startMs, b.startMs) < Math.min(a.endMs, b.endMs)
}

/** The stretches without the first one that has exactly the time of `left`. Others of the same time stay. */
export function removeInterval(stretches: readonly Interval[], left: Interval): readonly Interval[] {
  const at = stretches.findIndex((stretch) => isSameTime(stretch, left))
  return at === -1 ? stretches : stretches.toSpliced(at, 1)
}

/** Whether a moment lies in one of the stretches. */
export function isInAnyInterval(stretches: readonly Interval[], atMs: number): boolean {
  return stretches.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs)
}

export function isSameTime(a: Interval, b: Interval): boolean {
  return a.startMs === b.startMs && a.endMs === b.endMs
}

/** What is left of a stretch of time without others, in order. */
export function subtract(whole: Interval, others: readonly Interval[]): Interval[] {
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
