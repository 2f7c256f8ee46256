import { glob, readFile } from 'node:fs/promises'
import { proveByTests } from './run-tests.ts'

/**
 * The long form of the property tests: each property tries other values than `npm test`, for 15 seconds. fast-check says with
 * which seed one failed. PROPERTY_SECONDS gives them another time.
 */
const files: string[] = []
for await (const file of glob('{src,tools,tests}/**/*.test.{ts,tsx}')) {
  if ((await readFile(file, 'utf8')).includes('fc.assert(')) files.push(file)
}
await proveByTests(files, {
  // The time of a test is that of its properties: several of them, and what surrounds them.
  flags: ['--testTimeout=600000'],
  env: { PROPERTY_SECONDS: process.env.PROPERTY_SECONDS ?? '15' },
})
