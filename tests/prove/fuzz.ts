import { runTestsAsLongCheck } from './run-tests.ts'

/**
 * The long form of `src/server/app/fuzz.test.ts`: 20,000 valid, nearly valid and absurd requests to every operation of the
 * OpenAPI document. Each run has a new seed; FUZZ_SEED repeats one. The test prints the figures.
 */
const env = {
  FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? '20000',
  FUZZ_SEED: process.env.FUZZ_SEED ?? String(Date.now() % 2 ** 31),
}
await runTestsAsLongCheck(['src/server/app/fuzz.test.ts'], { flags: ['--project', 'server'], env })
