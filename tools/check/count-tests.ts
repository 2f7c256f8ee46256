import { z } from 'zod'

/** How many tests ran, and how they ended. */
export type TestCount = { readonly passed: number; readonly failed: number }

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
})

const playwrightReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  errors: z.array(z.unknown()),
})

/**
 * Counts a report of Vitest's `json` reporter. A file that could not be loaded is a failed test, and so is a test
 * that was skipped: nothing here is optional.
 */
export function countVitest(report: unknown): TestCount {
  const { testResults, ...counts } = vitestReport.parse(report)
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  )
  const skipped = counts.numPendingTests + counts.numTodoTests
  return { passed: counts.numPassedTests, failed: counts.numFailedTests + brokenFiles.length + skipped }
}

/**
 * Counts a report of Playwright's `json` reporter. An error outside every test (the product stopped, say) is a
 * failed test, and so is one that was skipped or that passed only at another try.
 */
export function countPlaywright(report: unknown): TestCount {
  const { stats, errors } = playwrightReport.parse(report)
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length }
}
