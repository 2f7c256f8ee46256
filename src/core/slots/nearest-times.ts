/** Returns the `count` free starts nearest to a wanted start, in chronological order. Epoch milliseconds. */
export function listNearestStarts(startsMs: readonly number[], wantedMs: number, count: number): number[] {
  return startsMs
    .toSorted((a, b) => Math.abs(a - wantedMs) - Math.abs(b - wantedMs))
    .slice(0, count)
    .sort((a, b) => a - b)
}
