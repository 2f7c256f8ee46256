import type { Readings, RunReading } from '#server/integrations/reading/readings.ts'
import { collect } from './collect.ts'

/** Runs readings in the test's own process, for tests that are about the result. */
export function readHere<Table extends Readings>(table: Table): RunReading<Table> {
  return async (name, input) => collect((table[name] as (given: typeof input) => AsyncIterable<never>)(input))
}
