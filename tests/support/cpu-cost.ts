/** How often an attempt is measured. What else the process does meanwhile only ever adds to a figure. */
const ATTEMPTS = 3

/**
 * The processor time of two kinds of attempt, in microseconds: the least of three of each.
 * The kinds take turns, so that a slow moment of the machine meets both.
 */
export async function compareCpuCosts(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[oneUs: number, otherUs: number]> {
  const costs: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    costs[0] = Math.min(costs[0], await costUsOf(one))
    costs[1] = Math.min(costs[1], await costUsOf(other))
  }
  return costs
}

/** The processor time of this process until the attempt has ended, in microseconds. It hardly grows on a busy machine. */
export async function costUsOf(attempt: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await attempt()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
