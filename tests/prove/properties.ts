import { glob, readFile } from 'node:fs/promises'
import { runScript } from '#tools/check/run-script.ts'

/**
 * The long form of the property tests: each property tries other values than `npm test`, for 15 seconds. fast-check says with
 * which seed one failed. PROPERTY_SECONDS gives them another time.
 */
const files: string[] = []
for await (const file of glob('{src,tools,tests}/**/*.test.{ts,tsx}')) {
  if ((await readFile(file, 'utf8')).includes('fc.assert(')) files.push(file)
}
const { ok } = await runScript(
  // The time of a test is that of its properties: several of them, and what surrounds them.
  ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=600000', ...files],
  { live: true, env: { PROPERTY_SECONDS: process.env.PROPERTY_SECONDS ?? '15' } },
)
process.exitCode = ok ? 0 : 1
