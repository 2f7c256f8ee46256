import { expect } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { queryNumber, queryRows } from './race-track.ts'

/** Expects that no row of a calendar contains one of these words, which identify an erased person. Source: rule R11. */
export async function expectErased(
  database: Database,
  calendarId: string,
  names: readonly string[],
): Promise<void> {
  const tables = await queryRows(
    database,
    `select format('%I', table_name) as name from information_schema.columns
     where table_schema = 'public' and column_name = 'calendar_id'`,
  )
  for (const { name } of tables) {
    const rows = `select count(*) from ${name} as t where calendar_id = $1 and t::text ~ $2`
    const found = await queryNumber(database, rows, [calendarId, `(${names.join('|')})\\y`])
    expect(found, `rows of ${name} that name somebody who was erased`).toBe(0)
  }
}
