import { expect, test } from 'vitest'
import { countPlaywright, countVitest } from './count-tests.ts'

const VITEST = { numPassedTests: 40, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
const PLAYWRIGHT = { stats: { expected: 8, unexpected: 0, flaky: 0, skipped: 0 }, errors: [] }

test('passed and failed unit tests are taken from the report', () => {
  const testResults = [
    {
      status: 'failed',
      assertionResults: [
        { status: 'failed', tags: [] },
        { status: 'failed', tags: [] },
      ],
    },
  ]
  expect(countVitest({ ...VITEST, numFailedTests: 2, testResults })).toEqual({
    passed: 40,
    failed: 2,
    leftOut: 0,
  })
})

test('a test file that could not be loaded is a failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }]
  expect(countVitest({ ...VITEST, testResults })).toEqual({ passed: 40, failed: 1, leftOut: 0 })
})

test('skipped and promised unit tests are failures', () => {
  expect(countVitest({ ...VITEST, numPendingTests: 1, numTodoTests: 2 })).toEqual({
    passed: 40,
    failed: 3,
    leftOut: 0,
  })
})

test('a test that was skipped for its tag is left out, and no failure', () => {
  const skipped = { status: 'skipped', tags: ['slow'] }
  const testResults = [{ status: 'passed', assertionResults: [skipped, { status: 'skipped', tags: [] }] }]
  const report = { ...VITEST, numPendingTests: 2, testResults }
  expect(countVitest(report, 'slow')).toEqual({ passed: 40, failed: 1, leftOut: 1 })
  expect(countVitest(report)).toEqual({ passed: 40, failed: 2, leftOut: 0 })
})

test('journeys that did not run are left out', () => {
  expect(countPlaywright(PLAYWRIGHT, 11)).toEqual({ passed: 8, failed: 0, leftOut: 3 })
})

test('passed and failed journeys are taken from the report', () => {
  const stats = { ...PLAYWRIGHT.stats, unexpected: 2 }
  expect(countPlaywright({ ...PLAYWRIGHT, stats })).toEqual({ passed: 8, failed: 2, leftOut: 0 })
})

test('a journey that was skipped, or that passed at the second try, is a failure', () => {
  const stats = { ...PLAYWRIGHT.stats, flaky: 1, skipped: 1 }
  expect(countPlaywright({ ...PLAYWRIGHT, stats })).toEqual({ passed: 8, failed: 2, leftOut: 0 })
})

test('an error outside every journey is a failure', () => {
  expect(countPlaywright({ ...PLAYWRIGHT, errors: [{ message: 'The product ended' }] })).toEqual({
    passed: 8,
    failed: 1,
    leftOut: 0,
  })
})

test('a report of another shape is refused rather than counted as nothing', () => {
  expect(() => countVitest({})).toThrow()
  expect(() => countPlaywright({ stats: {} })).toThrow()
})
