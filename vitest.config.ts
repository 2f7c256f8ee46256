import { defineConfig } from 'vitest/config'

/** Races that hold a time, a delay or the memory to a narrow limit: other tests beside them would change what they find. */
const MEASURING_RACES = [
  'busy-practice',
  'clock-jumps',
  'database-away',
  'hostile-calendars',
  'one-place',
  'one-time',
  'process-stop',
  'slow-database',
  'small-machine',
  'start-time',
].map((name) => `tests/races/${name}.test.ts`)

/** What builds pages, reads every import of the project or starts its programs: a fifth of the time of the quick tests. */
const BUILDING = [
  'tests/architecture/{entries,import-rules}.test.ts',
  'tools/check/{choose-checks,run-script}.test.ts',
]

/**
 * `server`, `unit`, `builds` and `web` need nothing but Node: features on the embedded database; core, contract, tools; the same with
 * whole builds and programs; components. Vitest ends a process when the next file is of another project or wants another
 * environment, so tests with a DOM are by themselves.
 * `races` starts a real PostgreSQL server, because the embedded one has a single session and cannot race itself; each file has
 * a database of its own there. Those that measure run alone.
 */
export default defineConfig({
  test: {
    tags: [
      { name: 'slow', description: 'Second tier: `npm test` leaves it out, `npm run test:all` runs it.' },
    ],
    // Two more than the smallest machine that runs them has processors. Tests of the server and races spend a tenth of their time
    // waiting for jobs and time limits.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'server',
          globalSetup: ['tests/support/database-template.ts'],
          include: ['{src/server,sandbox}/**/*.test.ts'],
          // Libraries are loaded once, not for every file; below too. It takes a fifth of the time away.
          isolate: false,
          // It counts what else the machine does: what has to come in time says so itself.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'unit',
          include: [
            'src/{core,contract,web}/**/*.test.ts',
            'tests/{architecture,ports,support}/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude: ['tests/support/postgres-server.test.ts', ...BUILDING],
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'builds',
          include: BUILDING,
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['src/web/**/*.test.tsx'],
          setupFiles: [
            'tests/support/clean-up-page.ts',
            'tests/support/forget-drafts.ts',
            'tests/support/forget-tab.ts',
            'tests/support/forget-toasts.ts',
            'tests/support/report-sizes.ts',
            'tests/support/wait-longer.ts',
            'tests/support/without-owner-stacks.ts',
          ],
          isolate: false,
          // Rendering makes much garbage that lives shortly. With room for it (in MB) the tests take a tenth less processor time.
          execArgv: ['--max-semi-space-size=64'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'races',
          include: ['tests/races/**/*.test.ts', 'tests/support/postgres-server.test.ts'],
          exclude: MEASURING_RACES,
          globalSetup: ['tests/support/database-template.ts', 'tests/support/postgres-server.ts'],
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'measuring-races',
          include: MEASURING_RACES,
          globalSetup: ['tests/support/database-template.ts', 'tests/support/postgres-server.ts'],
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // One file after the other, when the other projects have ended.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
