/** Number of requests per window; the key identifies the client and the group of operations. */
export type RequestCount = { readonly key: string; readonly windowStartMs: number; readonly count: number }

/** Adds the counts of this process and returns the totals of all processes by key. */
export type AddRequestCounts = (counts: readonly RequestCount[]) => Promise<ReadonlyMap<string, number>>
