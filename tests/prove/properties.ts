import { glob, readFile } from 'node:fs/promises'
import { runTestsAsLongCheck } from './run-tests.ts'

/**
 * The long form of the property tests: each property tries other values than in `npm test`, for 15 seconds. fast-check prints the
 * seed of a failure. PROPERTY_SECONDS sets another duration.
 */
const files: string[] = []
for await (const file of glob('{src,tools,tests}/**/*.test.{ts,tsx}')) {
  if ((await readFile(file, 'utf8')).includes('fc.assert(')) files.push(file)
}
await runTestsAsLongCheck(files, {
  // A test's timeout, in milliseconds. A test may check several properties and set up more.
  flags: ['--testTimeout=600000'],
  env: { PROPERTY_SECONDS: process.env.PROPERTY_SECONDS ?? '15' },
})
