import { type DayPart, type LocalStart, toLocalStart } from '#core/waiting-list/waiting-request.ts'

/**
 * Picks up to `count` free starts to suggest, in chronological order. They are on different days first, and then at
 * different times of day, because a customer who cannot come on one morning seldom wants its other times. `startsMs` is
 * in order of preference: days are used in the order of their first start, and of equal times the first is picked.
 * Epoch milliseconds. Source: rules A23 and P10.
 */
export function pickSpreadStarts(startsMs: readonly number[], count: number, timeZone: string): number[] {
  const candidates = [...new Set(startsMs)].map((startMs) => toLocalStart(startMs, timeZone))
  const days = [...Map.groupBy(candidates, ({ date }) => date).values()]
  const picked: LocalStart[] = []
  while (picked.length < count && picked.length < candidates.length) {
    // Each round picks one start of each day.
    for (const day of days) {
      if (picked.length === count) break
      const next = pickFromDay(day, picked)
      if (next !== null) picked.push(next)
    }
  }
  return picked.map(({ startMs }) => startMs).sort((a, b) => a - b)
}

/**
 * Picks the next start of a day: in a part of the day that this day, and then all days, have used least, and then as far
 * as possible from the starts already picked on this day. Null when the day has no further start.
 */
function pickFromDay(day: readonly LocalStart[], picked: readonly LocalStart[]): LocalStart | null {
  const onDay = picked.filter(({ date }) => date === day[0]?.date)
  let best: { readonly candidate: LocalStart; readonly rank: readonly number[] } | null = null
  for (const candidate of day) {
    if (onDay.includes(candidate)) continue
    const rank = [
      countPart(onDay, candidate.part),
      countPart(picked, candidate.part),
      -Math.min(...onDay.map(({ startMs }) => Math.abs(startMs - candidate.startMs))),
    ]
    if (best === null || isLower(rank, best.rank)) best = { candidate, rank }
  }
  return best?.candidate ?? null
}

function countPart(candidates: readonly LocalStart[], part: DayPart): number {
  return candidates.filter((one) => one.part === part).length
}

/** Compares the first numbers that differ. */
function isLower(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((number, index) => number !== other[index])
  return at >= 0 && (rank[at] ?? 0) < (other[at] ?? 0)
}
