import type { ParserTable, RunParser } from '#server/integrations/reading/parser-table.ts'
import { collect } from './collect.ts'

/** Runs readings in the test's own process, for tests that are about the result. */
export function readHere<Table extends ParserTable>(table: Table): RunParser<Table> {
  return async (name, input) => collect((table[name] as (given: typeof input) => AsyncIterable<never>)(input))
}
