/** A stretch of time, half-open: `[startMs, endMs)` in epoch milliseconds. Nothing lies in it when the end is not after the start. */
export type Interval = { readonly startMs: number; readonly endMs: number }

/** Whether two stretches share a moment. Stretches that only touch do not, and an empty one overlaps nothing. */
export function overlaps(a: Interval, b: Interval): boolean {
  return Math.max(a.startMs, b.startMs) < Math.min(a.endMs, b.endMs)
}
