/** Graph answers four requests of an app to one mailbox at the same time. Source: https://learn.microsoft.com/graph/throttling-limits */
const AT_ONCE = 4

/** Does the work for each, a few at a time; the answers are in the order of what was given. */
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
