/** Number of payments about which a provider is asked at the same time. */
const BATCH_SIZE = 10

/** Runs `work` for all items, a few at a time, and returns the results in order. */
export async function runInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let next = 0; next < items.length; next += BATCH_SIZE) {
    results.push(...(await Promise.all(items.slice(next, next + BATCH_SIZE).map(work))))
  }
  return results
}
