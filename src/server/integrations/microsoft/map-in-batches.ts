/**
 * Maximum number of concurrent requests: Graph handles four per app and mailbox. Source:
 * https://learn.microsoft.com/graph/throttling-limits
 */
const AT_ONCE = 4

/** Maps items with a few concurrent calls at a time, and keeps their order. */
export async function mapInBatches<Given, Answer>(
  all: readonly Given[],
  work: (given: Given) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let next = 0; next < all.length; next += AT_ONCE) {
    answers.push(...(await Promise.all(all.slice(next, next + AT_ONCE).map(work))))
  }
  return answers
}
