import { proveByTests } from './run-tests.ts'

/**
 * The long form of `src/server/app/abuse.test.ts`: an hour of the product's clock under all attacks at once, with customers and
 * the owner beside them. The test counts.
 */
await proveByTests(['src/server/app/abuse.test.ts'], {
  flags: ['--project', 'server'],
  env: { ABUSE_MINUTES: process.env.ABUSE_MINUTES ?? '60' },
})
