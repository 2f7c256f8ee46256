/** Collects all values of an async iterable. */
export async function collectAsync<Thing>(source: AsyncIterable<Thing>): Promise<Thing[]> {
  const things: Thing[] = []
  for await (const thing of source) things.push(thing)
  return things
}
