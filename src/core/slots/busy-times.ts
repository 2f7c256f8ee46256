import type { Interval } from '#core/shared/interval.ts'
import { isSorted, type StartAndEndTimes, sortStartsAndEnds } from './sort-times.ts'

/**
 * Busy times prepared for a scan: sorted starts and sorted ends, each list terminated by Infinity. Pairs are not kept:
 * `[start, end)` is free exactly when the number of busy times that ended by its start equals the number that began
 * before its end. So overlapping busy times need no merging.
 */
export type BusyTimes = { readonly startsMs: readonly number[]; readonly endsMs: readonly number[] }

type BusyTimesQuery = {
  readonly busy: readonly Interval[]
  readonly locationBusy: readonly Interval[]
  /** Added before and after `busy`, but not `locationBusy`. Source: rule T12. */
  readonly bufferMs: number
  /** Busy times outside this interval are dropped. */
  readonly during: Interval
}

/**
 * Sorts the busy times that overlap `during`. Busy times of zero length are ignored, whatever the buffer. Source: rule
 * T11.
 */
export function toBusyTimes({ busy, locationBusy, bufferMs, during }: BusyTimesQuery): BusyTimes {
  const length = busy.length + locationBusy.length + 1
  const all: StartAndEndTimes = {
    startsMs: new Array<number>(length),
    endsMs: new Array<number>(length),
    count: 0,
  }
  collect(all, busy, bufferMs, during)
  collect(all, locationBusy, 0, during)
  // The database returns each list sorted by start. The combined list is not sorted, and neither are the ends of
  // overlapping times.
  const { startsMs, endsMs, count } = isSorted(all)
    ? all
    : sortStartsAndEnds(all, during.startMs, during.endMs)
  startsMs[count] = Infinity
  endsMs[count] = Infinity
  return { startsMs, endsMs }
}

function collect(all: StartAndEndTimes, busy: readonly Interval[], bufferMs: number, during: Interval): void {
  const { startsMs, endsMs } = all
  const { startMs: fromMs, endMs: untilMs } = during
  let { count } = all
  for (const time of busy) {
    if (time.startMs >= time.endMs) continue
    const startMs = Math.max(time.startMs - bufferMs, fromMs)
    const endMs = Math.min(time.endMs + bufferMs, untilMs)
    if (startMs >= endMs) continue
    startsMs[count] = startMs
    endsMs[count] = endMs
    count++
  }
  all.count = count
}
