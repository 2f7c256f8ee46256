import { defineConfig } from 'vitest/config'

/**
 * `server` and `unit` need nothing but Node: features on the embedded database; core, contract, components, tools.
 * `races` starts a real PostgreSQL server, because the embedded one has a single session and cannot race itself.
 */
export default defineConfig({
  test: {
    // As many as the smallest machine that runs them has processors.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'server',
          globalSetup: ['tests/support/database-template.ts'],
          include: ['src/server/**/*.test.ts'],
          // The embedded database and the libraries around it are loaded once, not for every file.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'unit',
          include: [
            'src/{core,contract,web}/**/*.test.{ts,tsx}',
            'tests/{architecture,ports,support}/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'races',
          include: ['tests/races/**/*.test.ts'],
          globalSetup: ['tests/support/database-template.ts', 'tests/support/postgres-server.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
