import type { Readings, RunReading } from '#server/integrations/reading/readings.ts'
import { collect } from './collect.ts'

/** Reads in the process of the test, for tests that are about what is read. */
export function readHere<Table extends Readings>(table: Table): RunReading<Table> {
  return async (name, input) => collect((table[name] as (given: typeof input) => AsyncIterable<never>)(input))
}
