const LIMIT_MS = 30_000
const INTERVAL_MS = 50

/**
 * Repeats a check until it passes, and returns its result. Throws the check's last error after 30 s. Does not use Vitest's
 * `waitFor`, because the proofs run outside Vitest.
 */
export async function retryUntilPasses<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  for (const endMs = Date.now() + LIMIT_MS; ; ) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > endMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS))
  }
}
