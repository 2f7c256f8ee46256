import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ExportedTable } from './export-tables.ts'

export type ExportedRow = Readonly<Record<string, unknown>>

/**
 * Number of rows per statement. The embedded database has only one connection, so other requests run between two pages.
 */
const PAGE_ROWS = 500

/**
 * Yields the owner's rows of a table, page by page in key order, with the column that has to be decrypted. A page is loaded
 * only when it is consumed.
 */
export async function* readOwnRows(
  db: Db,
  ownerId: OwnerId,
  exported: ExportedTable,
): AsyncGenerator<readonly ExportedRow[]> {
  if (exported.belongsBy !== 'calendar_id') {
    yield* readPages(db, exported, ownerId, ownerId)
    return
  }
  const calendars = await db.selectFrom('calendars').select('id').where('user_id', '=', ownerId).execute()
  for (const { id } of calendars) yield* readPages(db, exported, id, ownerId)
}

/**
 * Yields one page after the other, each starting after the last key of the previous one. `belongsTo` is the id of the
 * owner, or of one of their calendars.
 */
async function* readPages(
  db: Db,
  { table, columns, opened, belongsBy, key }: ExportedTable,
  belongsTo: string,
  ownerId: OwnerId,
): AsyncGenerator<readonly ExportedRow[]> {
  const read = opened === undefined ? columns : [...columns, opened.column]
  const belonging = sql`${sql.ref(belongsBy)} = ${belongsTo}`
  // Check the ownership for each page, because the calendar may be deleted during the export.
  const owned = sql`exists (select 1 from calendars where calendars.id = ${belongsTo} and user_id = ${ownerId})`
  const own = belongsBy === 'calendar_id' ? sql`${belonging} and ${owned}` : belonging
  for (let last: unknown = null; ; ) {
    const { rows } = await sql<ExportedRow & { page_key: unknown }>`
      select ${sql.join(read.map((column) => sql.ref(column)))}, ${sql.ref(key)} as page_key
      from ${sql.table(table)}
      where ${own} and ${last === null ? sql`true` : sql`${sql.ref(key)} > ${last}`}
      order by ${sql.ref(belongsBy)}, ${sql.ref(key)}
      limit ${sql.lit(PAGE_ROWS)}`.execute(db)
    if (rows.length > 0) yield rows.map(({ page_key: _key, ...row }) => row)
    if (rows.length < PAGE_ROWS) return
    last = rows.at(-1)?.page_key
    // The embedded database resolves without yielding to the event loop, so yield here for other requests.
    await setImmediate()
  }
}
