import { defineConfig } from 'vitest/config'

/**
 * `unit` needs nothing but Node: core, contract, components, and features on the embedded database.
 * `races` starts a real PostgreSQL server, because the embedded one has a single session and cannot race itself.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: ['tests/support/database-template.ts'],
          include: [
            'src/**/*.test.{ts,tsx}',
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
