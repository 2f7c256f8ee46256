import type { Interval } from '#core/shared/interval.ts'
import { isSorted, sortTimes, type TimeLists } from './sort-times.ts'

/**
 * Busy times for a sweep: their starts in order and their ends in order, each list closed by Infinity.
 *
 * Which end belongs to which start is not kept, as `[start, end)` is free exactly when as many busy times have ended by
 * its start as have begun before its end. So they need no merging, however they overlap.
 */
export type BusyTimes = { readonly startsMs: readonly number[]; readonly endsMs: readonly number[] }

type BusyTimesQuery = {
  readonly busy: readonly Interval[]
  readonly locationBusy: readonly Interval[]
  /** It is added on both sides of `busy`, and not to `locationBusy`. Source: rule T12. */
  readonly bufferMs: number
  /** Times outside of it are left out. */
  readonly during: Interval
}

/**
 * Sorts the busy times that reach into `during`. Those of zero length are ignored, whatever the buffer.
 * Source: rule T11.
 */
export function toBusyTimes({ busy, locationBusy, bufferMs, during }: BusyTimesQuery): BusyTimes {
  const length = busy.length + locationBusy.length + 1
  const all: TimeLists = { startsMs: new Array<number>(length), endsMs: new Array<number>(length), count: 0 }
  collect(all, busy, bufferMs, during)
  collect(all, locationBusy, 0, during)
  // The database returns each of the two lists in order of start. Together they are not, and the ends of overlapping times are not.
  const { startsMs, endsMs, count } = isSorted(all) ? all : sortTimes(all, during.startMs, during.endMs)
  startsMs[count] = Infinity
  endsMs[count] = Infinity
  return { startsMs, endsMs }
}

function collect(all: TimeLists, busy: readonly Interval[], bufferMs: number, during: Interval): void {
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
