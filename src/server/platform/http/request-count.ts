/** How often a client asked in a window, by a key that names both the client and what it asked for. */
export type RequestCount = { readonly key: string; readonly windowStartMs: number; readonly count: number }

/** Adds what this process counted, and tells by key what all processes did. */
export type AddRequestCounts = (counts: readonly RequestCount[]) => Promise<ReadonlyMap<string, number>>
