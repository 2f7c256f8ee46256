/** How often an attempt is measured at least, and at most. What else the process does meanwhile only ever adds to a figure. */
const ATTEMPTS = { least: 3, most: 8 }
/** Figures that differ by more than this factor are measured again: a difference that is real stays. */
const CLOSE = 2

/**
 * The processor time of two kinds of attempt, in microseconds: the least of three of each, or of eight while the two differ.
 * The kinds take turns, so that a slow moment of the machine meets both.
 */
export async function compareCpuCosts(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[oneUs: number, otherUs: number]> {
  const costs: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (
    let attempt = 0;
    attempt < ATTEMPTS.least || (attempt < ATTEMPTS.most && !areClose(costs));
    attempt++
  ) {
    costs[0] = Math.min(costs[0], await costUsOf(one))
    costs[1] = Math.min(costs[1], await costUsOf(other))
  }
  return costs
}

function areClose([one, other]: readonly [number, number]): boolean {
  return Math.max(one, other) < Math.min(one, other) * CLOSE
}

/** The processor time of this process until the attempt has ended, in microseconds. It hardly grows on a busy machine. */
export async function costUsOf(attempt: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await attempt()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
