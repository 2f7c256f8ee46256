/** How often each kind of attempt is measured. Other work of the process can only add to a figure, so the least one counts. */
const ATTEMPTS = { least: 3, most: 8 }
/** Figures that differ by more than this factor are measured again. A real difference stays. */
const CLOSE = 2

/**
 * The processor time of two kinds of attempt, in microseconds. Each kind is measured three times, and up to eight times as long as the
 * two differ. The result is the least figure of each kind. The kinds take turns, so that a slow moment of the machine meets both.
 */
export async function compareCpuCosts(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[oneUs: number, otherUs: number]> {
  const costs: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let attempts = 0
  while (attempts < ATTEMPTS.least || (attempts < ATTEMPTS.most && !areClose(costs))) {
    costs[0] = Math.min(costs[0], await costUsOf(one))
    costs[1] = Math.min(costs[1], await costUsOf(other))
    attempts += 1
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
