import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { OwnersWork } from './occupied-time.ts'
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
  readonly bufferMinutes: number
  /** The work around the wanted appointment: its wrap-up ends before a busy time, its preparation starts after one. */
  readonly work: OwnersWork
  /** Busy times outside this interval are dropped. */
  readonly during: Interval
}

/**
 * Sorts the busy times that overlap `during`. Busy times of zero length are ignored, whatever the buffer. Source: rule
 * T11.
 */
export function toBusyTimes({ busy, locationBusy, bufferMinutes, work, during }: BusyTimesQuery): BusyTimes {
  const length = busy.length + locationBusy.length + 1
  const all: StartAndEndTimes = {
    startsMs: new Array<number>(length),
    endsMs: new Array<number>(length),
    count: 0,
  }
  const widened = (minutes: number): Widening => ({
    beforeMs: (minutes + work.wrapUpMinutes) * MINUTE_MS,
    afterMs: (minutes + work.prepareMinutes) * MINUTE_MS,
  })
  collect(all, busy, widened(bufferMinutes), during)
  collect(all, locationBusy, widened(0), during)
  // The database returns each list sorted by start. The combined list is not sorted, and neither are the ends of
  // overlapping times.
  const { startsMs, endsMs, count } = isSorted(all)
    ? all
    : sortStartsAndEnds(all, during.startMs, during.endMs)
  startsMs[count] = Infinity
  endsMs[count] = Infinity
  return { startsMs, endsMs }
}

/** What is added before and after each busy time. */
type Widening = { readonly beforeMs: number; readonly afterMs: number }

function collect(
  all: StartAndEndTimes,
  busy: readonly Interval[],
  { beforeMs, afterMs }: Widening,
  during: Interval,
): void {
  const { startsMs, endsMs } = all
  const { startMs: fromMs, endMs: untilMs } = during
  let { count } = all
  for (const time of busy) {
    if (time.startMs >= time.endMs) continue
    const startMs = Math.max(time.startMs - beforeMs, fromMs)
    const endMs = Math.min(time.endMs + afterMs, untilMs)
    if (startMs >= endMs) continue
    startsMs[count] = startMs
    endsMs[count] = endMs
    count++
  }
  all.count = count
}
