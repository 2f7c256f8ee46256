/**
 * The minimum and maximum number of measurements per kind of attempt. Other work in the process can only add to a figure, so the
 * lowest one counts.
 */
const ATTEMPTS = { least: 3, most: 8 }
/**
 * If the lowest figures of the two kinds differ by at least this factor, both kinds are measured again. A real difference
 * persists.
 */
const CLOSE = 2

/**
 * Compares the CPU time of two kinds of attempt, in microseconds. Measures each kind three times, and up to eight times while the
 * figures differ. Returns the lowest figure of each kind. The kinds alternate, so that a slow moment of the machine affects both.
 */
export async function compareCpuCosts(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<[oneUs: number, otherUs: number]> {
  const costs: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let attempts = 0
  while (attempts < ATTEMPTS.least || (attempts < ATTEMPTS.most && !areClose(costs))) {
    costs[0] = Math.min(costs[0], await measureCpuTimeUs(one))
    costs[1] = Math.min(costs[1], await measureCpuTimeUs(other))
    attempts += 1
  }
  return costs
}

function areClose([one, other]: readonly [number, number]): boolean {
  return Math.max(one, other) < Math.min(one, other) * CLOSE
}

/** CPU time used by this process until the attempt ends, in microseconds. Load on the machine hardly affects it. */
export async function measureCpuTimeUs(attempt: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await attempt()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
