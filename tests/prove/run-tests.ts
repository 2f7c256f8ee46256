import { access } from 'node:fs/promises'
import { runScript } from '#tools/check/run-script.ts'
import { IS_DRY_RUN } from './run-proof.ts'

const VITEST = 'node_modules/vitest/vitest.mjs'

/**
 * Runs the long form of tests as a proof, and exits with 1 when a test fails. A dry run only checks that the test files exist.
 */
export async function runTestsAsLongCheck(
  files: readonly string[],
  options: { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const { flags, env } = options
  if (IS_DRY_RUN) {
    if (files.length === 0) throw new Error('There is no test to run.')
    for (const file of files) await access(file)
    return
  }
  const { ok } = await runScript([VITEST, 'run', ...flags, ...files], { live: true, env })
  process.exitCode = ok ? 0 : 1
}
