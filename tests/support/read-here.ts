import type { ParserTable, RunParser } from '#server/integrations/reading/parser-table.ts'
import { collectAsync } from './collect.ts'

/** Runs readings in the test's own process, for tests that are about the result. */
export function runReadingsInProcess<Table extends ParserTable>(table: Table): RunParser<Table> {
  return async (name, input) =>
    collectAsync((table[name] as (given: typeof input) => AsyncIterable<never>)(input))
}
