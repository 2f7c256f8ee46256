import { proveByTests } from './run-tests.ts'

/**
 * The long form of `src/server/app/fuzz.test.ts`: 20,000 requests that are valid, nearly valid and absurd, to every
 * operation of the OpenAPI document. Another seed each time; FUZZ_SEED repeats one. The test counts.
 */
const env = {
  FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? '20000',
  FUZZ_SEED: process.env.FUZZ_SEED ?? String(Date.now() % 2 ** 31),
}
await proveByTests(['src/server/app/fuzz.test.ts'], { flags: ['--project', 'server'], env })
