import type { Clock } from '#server/platform/clock.ts'
import { batchRequestCounts } from './batch-request-counts.ts'
import type { AddRequestCounts } from './request-count.ts'

export type RequestLimit = { readonly key: string; readonly max: number; readonly windowMs: number }

export type Counted = { readonly count: number; readonly endsInMs: number }

export type RequestCounts = {
  /** Counts at once here; what other processes counted is known after the next `exchange`. */
  readonly countHere: (limit: RequestLimit) => Counted
  /**
   * Counts with all processes at once, which takes a statement. A client that is over the limit already is refused
   * without one.
   */
  readonly countEverywhere: (limit: RequestLimit) => Promise<Counted>
  /** Counts nothing: says whether the limit is known to be used up, so that the next request would be refused. */
  readonly findUsedUp: (limit: RequestLimit) => Counted | null
  /** Tells the others what was counted here and learns what they counted. */
  readonly exchange: () => Promise<void>
}

/** Of one key in its present window: what is known of all processes, and how much of that only here. */
type Entry = { readonly windowStartMs: number; readonly shareFrom: number; total: number; untold: number }

/** The keys of one process; about 4 MB. Beyond it, the key whose window began first is dropped. */
export const MAX_KEYS = 20_000

/**
 * Counts requests by key in windows that begin at full multiples of their length, so that processes agree on them.
 * `add` is null where there is one process only.
 */
export function buildRequestCounts(options: { now: Clock; add: AddRequestCounts | null }): RequestCounts {
  const { now, add } = options
  const addOne = add === null ? null : batchRequestCounts(add)
  const entries = new Map<string, Entry>()

  const findEntry = ({ key, max, windowMs }: RequestLimit, nowMs: number): Entry => {
    const windowStartMs = nowMs - (nowMs % windowMs)
    const present = entries.get(key)
    if (present?.windowStartMs === windowStartMs) return present
    // Ordinary visitors stay in the memory of their process: a client is reported once it has used up a tenth.
    const entry = { windowStartMs, shareFrom: max / 10, total: 0, untold: 0 }
    // Taken out before, so that the map stays in the order in which windows began.
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.size > MAX_KEYS ? entries.keys() : []
    if (oldest !== undefined) entries.delete(oldest)
    return entry
  }

  return {
    countHere(limit) {
      const nowMs = now()
      const entry = findEntry(limit, nowMs)
      entry.total += 1
      entry.untold += 1
      return { count: entry.total, endsInMs: entry.windowStartMs + limit.windowMs - nowMs }
    },

    async countEverywhere(limit) {
      const nowMs = now()
      const entry = findEntry(limit, nowMs)
      const { windowStartMs } = entry
      const endsInMs = windowStartMs + limit.windowMs - nowMs
      if (addOne === null || entry.total >= limit.max) {
        entry.total += 1
        return { count: entry.total, endsInMs }
      }
      // Its own number in the row: how far the row has come meanwhile says nothing about this request.
      const count = await addOne({ key: limit.key, windowStartMs })
      entry.total = Math.max(entry.total, count)
      return { count, endsInMs }
    },

    findUsedUp({ key, max, windowMs }) {
      const nowMs = now()
      const entry = entries.get(key)
      if (entry?.windowStartMs !== nowMs - (nowMs % windowMs) || entry.total < max) return null
      return { count: entry.total, endsInMs: entry.windowStartMs + windowMs - nowMs }
    },

    async exchange() {
      const told = [...entries].filter(([, { untold, total, shareFrom }]) => untold > 0 && total >= shareFrom)
      if (add === null || told.length === 0) return
      const counts = told.map(([key, { windowStartMs, untold }]) => ({ key, windowStartMs, count: untold }))
      for (const [, entry] of told) entry.untold = 0
      const totals = await add(counts).catch((error: unknown) => {
        for (const [i, [, entry]] of told.entries()) entry.untold += counts[i]?.count ?? 0
        throw error
      })
      // What came in while the database was asked is not in its totals.
      for (const [key, entry] of told)
        entry.total = Math.max(entry.total, (totals.get(key) ?? 0) + entry.untold)
    },
  }
}
