import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { LONG_CHECKS } from '#tests/prove/proofs.ts'
import { chooseChecks, explainUnknownName } from './check/choose-checks.ts'
import { countPlaywright, countVitest, type TestCount } from './check/count-tests.ts'
import { listDisallowedLicences } from './check/list-unfit-licences.ts'
import { dryRunLongChecks } from './check/rehearse-proofs.ts'
import { runScript } from './check/run-script.ts'
import { runSteps, type Step } from './check/run-steps.ts'
import { ensureWebBuild } from './web-build.ts'

/**
 * Timeout of a step, in milliseconds: several times as long as the slowest step takes on a busy machine. Without it, a test that
 * keeps its process alive would run until somebody noticed.
 */
const LIMIT_MS = 40 * MINUTE_MS

/** Matches the tests that start processes and their own database server. */
const RACE_FILES = /^tests\/(races\/|support\/postgres-server\.test)/
const JOURNEY_FILES = /^e2e\/journeys\//

/** The tag of tests that only `npm run test:all` runs, in Vitest and in Playwright. */
const SLOW = 'slow'

/**
 * `npm test`: runs everything that protects users, the quick checks first. Stops at the first failure, and prints how many tests
 * passed and failed on the last line. `npm test -- <name>` runs only the checks or test files with that name (`chooseChecks`); of
 * named files it runs all tests.
 *
 * There are two tiers. `npm test` leaves out the tests with the tag `slow` and the second viewport of journeys
 * (`playwright.config.ts`); `npm run test:all` runs everything.
 */
process.chdir(join(import.meta.dirname, '..'))
const { values: chosen, positionals: words } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const reportsDir = await mkdtemp(join(tmpdir(), 'meridian-check-'))
const startedMs = performance.now()
try {
  const { passed, failed, leftOut } = await runSteps(await chooseStages(words.join(' ')), console.log)
  if (leftOut > 0) console.log(`\nNot run here: ${leftOut} slow tests; npm run test:all runs them`)
  console.log(
    `\n${failed === 0 ? 'All is well' : 'Not well'} after ${Math.round((performance.now() - startedMs) / 1000)} s`,
  )
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await rm(reportsDir, { recursive: true, force: true })
}

async function chooseStages(name: string): Promise<Step[][]> {
  const stages = allStages()
  if (name === '') return stages
  const all = { steps: stages.flat().map((step) => step.name), files: await listTestFiles() }
  const { steps, files } = chooseChecks(name, all)
  if (files.length > 0) return stagesOf(files)
  const named = stages.map((stage) => stage.filter((step) => steps.includes(step.name)))
  if (steps.length > 0) return named.filter((stage) => stage.length > 0)
  return [
    [
      {
        name: 'finding what to run',
        run: async () => ({ ok: false, output: explainUnknownName(name, all) }),
      },
    ],
  ]
}

function allStages(): Step[][] {
  return [quickChecks(), [webBuild(), rehearsals()], [unitTests()], [raceTests()], [journeys()]]
}

function stagesOf(files: readonly string[]): Step[][] {
  const races = files.filter((file) => RACE_FILES.test(file))
  const inBrowser = files.filter((file) => JOURNEY_FILES.test(file))
  const units = files.filter((file) => !RACE_FILES.test(file) && !JOURNEY_FILES.test(file))
  return [
    ...(units.length > 0 ? [[unitTests(units)]] : []),
    ...(races.length > 0 ? [[raceTests(races)]] : []),
    ...(inBrowser.length > 0 ? [[journeys(inBrowser)]] : []),
  ]
}

async function listTestFiles(): Promise<string[]> {
  const files: string[] = []
  const patterns = ['{src,sandbox,tests,tools}/**/*.test.{ts,tsx}', 'e2e/journeys/**/*.spec.ts']
  for await (const file of glob(patterns)) files.push(file.replaceAll('\\', '/'))
  return files.sort()
}

function quickChecks(): Step[] {
  return [
    tool('formatting and lint', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.'),
    ...['core', 'server', 'web', 'tests'].map(typesOf),
    tool(
      'architecture rules',
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      'src',
      'sandbox',
      '--config',
      '.dependency-cruiser.mjs',
    ),
    tool('unused code and packages', 'node_modules/knip/bin/knip.js'),
    licences(),
    tool('openapi.json is up to date', 'tools/write-openapi.ts', '--check'),
    tool('docs/problems.md is up to date', 'tools/write-problems.ts', '--check'),
  ]
}

/**
 * Checks the types with a single checker, because other checks run at the same time. The compiler starts four checkers by
 * default. They share no results, so they take twice the CPU time and twice the memory of a single one.
 */
function typesOf(part: string): Step {
  const compiler = 'node_modules/typescript/bin/tsc'
  return tool(`types of ${part}`, compiler, '-p', `tsconfig.${part}.json`, '--checkers', '1')
}

function tool(name: string, script: string, ...args: string[]): Step {
  return { name, run: () => runScript([script, ...args]) }
}

function licences(): Step {
  return {
    name: 'licences that go with ours',
    run: async () => {
      const unfit = listDisallowedLicences(JSON.parse(await readFile('package-lock.json', 'utf8')))
      return { ok: unfit.length === 0, output: unfit.join('\n') }
    },
  }
}

function unitTests(files: readonly string[] = []): Step {
  return tests('unit', ['unit', 'web', 'server', 'builds'], files)
}

/** The races run after the unit tests, not at the same time: some measure durations, and many start processes. */
function raceTests(files: readonly string[] = []): Step {
  return tests('race', ['races', 'measuring-races'], files)
}

function tests(name: string, projects: readonly string[], files: readonly string[]): Step {
  const report = join(reportsDir, `${name}.json`)
  const isQuick = leavesOut(files)
  const args = [
    'run',
    ...files,
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(isQuick ? [`--tags-filter=!${SLOW}`] : []),
  ]
  return {
    name: `${name} tests`,
    run: async () => {
      const { ok } = await runScript(['node_modules/vitest/vitest.mjs', ...args], {
        live: true,
        limitMs: LIMIT_MS,
      })
      return judge(ok, await readReport(report, (text) => countVitest(text, isQuick ? SLOW : undefined)))
    },
  }
}

/** True when tests with the tag `slow` are left out. When files are named, all their tests run. */
function leavesOut(files: readonly string[]): boolean {
  return !chosen.all && files.length === 0
}

function webBuild(): Step {
  return {
    name: 'web build',
    run: async () => {
      await ensureWebBuild()
      return { ok: true }
    },
  }
}

/** Dry runs of the long-running checks in tests/prove. Running them takes an hour, so `npm test` only runs their setup. */
function rehearsals(): Step {
  return { name: 'every proof starts', run: () => dryRunLongChecks(LONG_CHECKS.map(({ script }) => script)) }
}

function journeys(files: readonly string[] = []): Step {
  const report = join(reportsDir, 'playwright.json')
  const isQuick = leavesOut(files)
  return {
    name: 'journeys in a browser',
    run: async () => {
      const env = { JOURNEYS_REPORT: report, ...(isQuick ? { JOURNEYS_TIER: 'quick' } : {}) }
      const { ok } = await runScript(['node_modules/@playwright/test/cli.js', 'test', ...files], {
        live: true,
        env,
        limitMs: LIMIT_MS,
      })
      const known = isQuick ? await countJourneys() : undefined
      return judge(ok, await readReport(report, (text) => countPlaywright(text, known)))
    },
  }
}

/** Counts the journeys, once for each viewport. */
async function countJourneys(): Promise<number> {
  const { ok, output } = await runScript(['node_modules/@playwright/test/cli.js', 'test', '--list'])
  const [, total] = /^Total: (\d+) tests/m.exec(output) ?? []
  if (!ok || total === undefined) throw new Error(output)
  return Number(total)
}

/** Fails a run without a single passed test, whatever its exit code. */
function judge(ok: boolean, tests: TestCount | null) {
  if (tests === null) return { ok: false, output: 'It ended without a report.' }
  return { ok: ok && tests.failed === 0 && tests.passed > 0, tests }
}

async function readReport(path: string, count: (report: unknown) => TestCount): Promise<TestCount | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null ? null : count(JSON.parse(text))
}
