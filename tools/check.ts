import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { countPlaywright, countVitest, type TestCount } from './check/count-tests.ts'
import { judgeAudit } from './check/judge-audit.ts'
import { listUnfitLicences } from './check/list-unfit-licences.ts'
import { runScript } from './check/run-script.ts'
import { runSteps, type Step } from './check/run-steps.ts'
import { ensureWebBuild } from './web-build.ts'

/**
 * Several times what the slowest of the steps takes on a busy machine. A test that never lets go of its process would otherwise
 * run until somebody looks.
 */
const LIMIT_MS = 40 * MINUTE_MS

/**
 * `npm test`: everything that must hold, the quick checks first. It stops at the first failure, and its last line
 * says how many tests passed and failed.
 */
process.chdir(join(import.meta.dirname, '..'))
const reportsDir = await mkdtemp(join(tmpdir(), 'meridian-check-'))
const startedMs = performance.now()
try {
  const { passed, failed } = await runSteps(
    [quickChecks(), [webBuild()], [tests('unit', 'unit', 'server')], [tests('race', 'races')], [journeys()]],
    console.log,
  )
  console.log(
    `\n${failed === 0 ? 'All is well' : 'Not well'} after ${Math.round((performance.now() - startedMs) / 1000)} s`,
  )
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await rm(reportsDir, { recursive: true, force: true })
}

function quickChecks(): Step[] {
  return [
    tool('formatting and lint', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.'),
    ...['core', 'server', 'web', 'tests'].map((part) =>
      tool(`types of ${part}`, 'node_modules/typescript/bin/tsc', '-p', `tsconfig.${part}.json`),
    ),
    tool(
      'architecture rules',
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      'src',
      '--config',
      '.dependency-cruiser.mjs',
    ),
    tool('unused code and packages', 'node_modules/knip/bin/knip.js'),
    knownFaults(),
    licences(),
    tool('openapi.json is up to date', 'tools/write-openapi.ts', '--check'),
    tool('docs/problems.md is up to date', 'tools/write-problems.ts', '--check'),
  ]
}

function tool(name: string, script: string, ...args: string[]): Step {
  return { name, run: () => runScript([script, ...args]) }
}

function knownFaults(): Step {
  // Once and not for long: without a network the other checks are worth having too.
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']
  return {
    name: 'packages without known faults',
    run: async () => judgeAudit(await readOutput('npm', args)),
  }
}

/** What a program wrote to its standard output, however it ended. */
function readOutput(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(stdout))
  })
}

function licences(): Step {
  return {
    name: 'licences that go with ours',
    run: async () => {
      const unfit = listUnfitLicences(JSON.parse(await readFile('package-lock.json', 'utf8')))
      return { ok: unfit.length === 0, output: unfit.join('\n') }
    },
  }
}

/** The races come after the unit tests, not beside them: they measure, and start processes of their own. */
function tests(name: string, ...projects: string[]): Step {
  const report = join(reportsDir, `${name}.json`)
  const args = [
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  return {
    name: `${name} tests`,
    run: async () => {
      const { ok } = await runScript(['node_modules/vitest/vitest.mjs', ...args], {
        live: true,
        limitMs: LIMIT_MS,
      })
      return judge(ok, await readReport(report, countVitest))
    },
  }
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

function journeys(): Step {
  const report = join(reportsDir, 'playwright.json')
  return {
    name: 'journeys in a browser',
    run: async () => {
      const env = { JOURNEYS_REPORT: report }
      const { ok } = await runScript(['node_modules/@playwright/test/cli.js', 'test'], {
        live: true,
        env,
        limitMs: LIMIT_MS,
      })
      return judge(ok, await readReport(report, countPlaywright))
    },
  }
}

/** A run without a single test proves nothing, whatever its exit code. */
function judge(ok: boolean, tests: TestCount | null) {
  if (tests === null) return { ok: false, output: 'It ended without a report.' }
  return { ok: ok && tests.failed === 0 && tests.passed > 0, tests }
}

async function readReport(path: string, count: (report: unknown) => TestCount): Promise<TestCount | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null ? null : count(JSON.parse(text))
}
