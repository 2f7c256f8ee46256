import { runScript } from '#tools/check/run-script.ts'

/**
 * The long form of `src/server/app/abuse.test.ts`: an hour of the product's clock under all attacks at once, with customers and
 * the owner beside them. The test counts.
 */
const { ok } = await runScript(
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'src/server/app/abuse.test.ts'],
  { live: true, env: { ABUSE_MINUTES: process.env.ABUSE_MINUTES ?? '60' } },
)
process.exitCode = ok ? 0 : 1
