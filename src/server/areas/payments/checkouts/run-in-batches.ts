/** How many payments a provider is asked about at once. */
const AT_ONCE = 10

/** Does the work of many payments, a few at a time, and returns the results in their order. */
export async function runInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let next = 0; next < items.length; next += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(next, next + AT_ONCE).map(work))))
  }
  return results
}
