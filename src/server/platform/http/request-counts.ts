import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'

/** Number of requests per window; the key identifies the client and the group of operations. */
export type RequestCount = { readonly key: string; readonly windowStartMs: number; readonly count: number }

/** Adds the counts of this process and returns the totals of all processes by key. */
export type AddRequestCounts = (counts: readonly RequestCount[]) => Promise<ReadonlyMap<string, number>>

export type RequestLimit = { readonly key: string; readonly max: number; readonly windowMs: number }

export type CountedRequest = { readonly count: number; readonly endsInMs: number }

export type RequestCounts = {
  /** Counts a request in this process. The counts of other processes are known only after the next `exchange`. */
  readonly countHere: (limit: RequestLimit) => CountedRequest
  /**
   * Counts a request across all processes with one statement. A client known to be over the limit is refused without a
   * statement.
   */
  readonly countEverywhere: (limit: RequestLimit) => Promise<CountedRequest>
  /**
   * Checks the limit without counting. Returns the count when the limit is known to be used up, so that the next
   * request would be refused; otherwise null.
   */
  readonly findUsedUp: (limit: RequestLimit) => CountedRequest | null
  /** Shares this process's counts with the other processes and loads theirs. */
  readonly exchange: () => Promise<void>
}

/**
 * The count of one key in its current window. `total` is the count as known of all processes; `untold` is the part of
 * it that is not shared yet.
 */
type Entry = { readonly windowStartMs: number; readonly shareFrom: number; total: number; untold: number }

/** Maximum number of keys per process (about 4 MB). Beyond it, the key with the oldest window is dropped. */
export const MAX_COUNTED_KEYS = 20_000

/**
 * Counts requests by key in windows that start at multiples of their length, so that processes agree on them. `add` is
 * null with a single process.
 */
export function buildRequestCounts(options: { now: Clock; add: AddRequestCounts | null }): RequestCounts {
  const { now, add } = options
  const addOne = add === null ? null : batchRequestCounts(add)
  const entries = new Map<string, Entry>()

  const findEntry = ({ key, max, windowMs }: RequestLimit, nowMs: number): Entry => {
    const windowStartMs = nowMs - (nowMs % windowMs)
    const present = entries.get(key)
    if (present?.windowStartMs === windowStartMs) return present
    // A client's count is shared with other processes only after a tenth of its limit is used, so ordinary visitors
    // cause no statements.
    const entry = { windowStartMs, shareFrom: max / 10, total: 0, untold: 0 }
    // Delete first, so that the map stays ordered by window start.
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.size > MAX_COUNTED_KEYS ? entries.keys() : []
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
      // This is the request's own number in the shared count. The row's current total may include later requests, so it
      // cannot decide about this one.
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
      // Counts added while the statement ran are not in its totals, so add them.
      for (const [key, entry] of told)
        entry.total = Math.max(entry.total, (totals.get(key) ?? 0) + entry.untold)
    },
  }
}

type Request = { readonly key: string; readonly windowStartMs: number }

type Waiting = Request & {
  readonly resolve: (place: number) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches requests into one statement at a time: requests that arrive while a statement runs are counted together by
 * the next one, so requests do not wait for each other's row lock.
 * @returns the request's own number in its window, starting at 1
 */
function batchRequestCounts(add: AddRequestCounts): (request: Request) => Promise<number> {
  let waiting: Waiting[] = []
  let isUnderWay = false

  const sendWaiting = async () => {
    isUnderWay = true
    while (waiting.length > 0) {
      const { together, later } = takeTogether(waiting)
      waiting = later
      await sendTogether(add, together)
    }
    isUnderWay = false
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...request, resolve, reject })
      if (!isUnderWay) void sendWaiting()
    })
}

type Together = [first: Waiting, ...others: Waiting[]]

/**
 * Takes the requests for the next statement. A statement counts each key once, so further windows of the same key go
 * into the following batch.
 */
function takeTogether(waiting: readonly Waiting[]): { together: Together[]; later: Waiting[] } {
  const together = new Map<string, Together>()
  const later: Waiting[] = []
  for (const one of waiting) {
    const before = together.get(one.key)
    if (before === undefined) together.set(one.key, [one])
    else if (before[0].windowStartMs === one.windowStartMs) before.push(one)
    else later.push(one)
  }
  return { together: [...together.values()], later }
}

async function sendTogether(add: AddRequestCounts, sent: readonly Together[]): Promise<void> {
  try {
    const totals = await add(
      sent.map(([{ key, windowStartMs }, ...others]) => ({ key, windowStartMs, count: 1 + others.length })),
    )
    for (const ofKey of sent) {
      const total = totals.get(ofKey[0].key) ?? ofKey.length
      for (const [i, one] of ofKey.entries()) one.resolve(total - ofKey.length + 1 + i)
    }
  } catch (error) {
    for (const one of sent.flat()) one.reject(error)
  }
}

const addCounts = prepareStatement<{ key: string; count: number }>(
  'add-request-counts',
  `insert into request_counts as counted (key, window_start_ms, count)
  select * from unnest($1::text[], $2::bigint[], $3::integer[]) as here (key, window_start_ms, count)
  order by key
  on conflict (key) do update set
    count = case
      when counted.window_start_ms < excluded.window_start_ms then excluded.count
      else counted.count + excluded.count end,
    window_start_ms = greatest(counted.window_start_ms, excluded.window_start_ms)
  returning key, count`,
)

/**
 * Adds the counts of one process to the shared counts. Each key has one row, for its newest window. Rows are updated in
 * key order, so that concurrent processes cannot deadlock.
 */
export function addRequestCounts(db: Db): AddRequestCounts {
  return async (counts) => {
    const rows = await addCounts(db, [
      counts.map(({ key }) => key),
      counts.map(({ windowStartMs }) => windowStartMs),
      counts.map(({ count }) => count),
    ])
    return new Map(rows.map(({ key, count }) => [key, count]))
  }
}
