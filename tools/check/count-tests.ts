import { z } from 'zod'

/** The number of tests that passed, failed, and were left to `npm run test:all`. */
export type TestCount = { readonly passed: number; readonly failed: number; readonly leftOut: number }

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), tags: z.array(z.string()) })),
    }),
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
 * Counts a report of Vitest's `json` reporter. A file that could not be loaded counts as a failed test, and so does a skipped
 * test, because no test is optional. Only tests with the tag `leavesOut` may be skipped.
 */
export function countVitest(report: unknown, leavesOut?: string): TestCount {
  const { testResults, ...counts } = vitestReport.parse(report)
  const leftOut = testResults
    .flatMap((file) => file.assertionResults)
    .filter(
      ({ status, tags }) => status === 'skipped' && leavesOut !== undefined && tags.includes(leavesOut),
    ).length
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  )
  const skipped = counts.numPendingTests + counts.numTodoTests - leftOut
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests + brokenFiles.length + skipped,
    leftOut,
  }
}

/**
 * Counts a report of Playwright's `json` reporter. An error outside of every test (for example, Meridian stopped) counts as a
 * failed test, and so does a test that was skipped or that passed only after a retry. `known` is the total number of journeys.
 */
export function countPlaywright(report: unknown, known?: number): TestCount {
  const { stats, errors } = playwrightReport.parse(report)
  const notPassed = stats.unexpected + stats.flaky + stats.skipped
  return {
    passed: stats.expected,
    failed: notPassed + errors.length,
    leftOut: known === undefined ? 0 : known - stats.expected - notPassed,
  }
}
