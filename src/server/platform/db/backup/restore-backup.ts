import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isBeforeFirstRelease } from '../migrate.ts'
import { inTransaction, type Trx } from '../transaction.ts'
import type { BackupHeader, BackupPart } from './backup-file.ts'
import { BackupError } from './backup-file.ts'
import { getJobSchemaVersion, listStoredTables, type StoredTable } from './stored-tables.ts'

/** Number of rows per insert statement. */
const BATCH_ROWS = 500

/**
 * Restores the rows of a backup into an empty database with the same migrations, in one transaction.
 * @returns the number of rows
 * @throws BackupError when the database has rows, or the backup is incomplete or of another version
 */
export function restoreBackup(
  db: Db,
  { head, parts }: { head: BackupHeader; parts: AsyncIterable<BackupPart> },
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const tables = await listStoredTables(trx)
    await refuseRows(trx, tables)
    await refuseOtherVersion(trx, head)
    // Delete job queues that an earlier start on the empty database may have created.
    for (const { name } of tables.toReversed()) await sql`delete from ${sql.raw(name)}`.execute(trx)
    // Disable triggers: the backup already contains the rows that they would write, and they must not change restored
    // rows.
    await switchTriggers(trx, tables, 'disable')
    const rowCount = await insertRows(trx, tables, parts)
    // Run the deferred checks now; a table with pending checks cannot be altered.
    await sql`set constraints all immediate`.execute(trx)
    await switchTriggers(trx, tables, 'enable')
    return rowCount
  })
}

async function refuseOtherVersion(trx: Trx, head: BackupHeader): Promise<void> {
  if (isBeforeFirstRelease(head.migrations)) {
    throw new BackupError(
      'This backup is of a version before 0.2.0 and can be restored with that version only.',
    )
  }
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(trx)
  const applied = rows.map(({ name }) => name)
  const missing = head.migrations.filter((name) => !applied.includes(name))
  if (missing.length > 0) {
    throw new BackupError(
      `This backup is of a newer version, with ${missing.join(', ')}. Restore it with that version.`,
    )
  }
  // Newer migrations have already run, on empty tables, and would not change the restored rows.
  const ahead = applied.filter((name) => !head.migrations.includes(name))
  if (ahead.length > 0) {
    throw new BackupError(
      `The database has ${ahead.join(', ')} and the backup has not. Restore it into a new database.`,
    )
  }
  if ((await getJobSchemaVersion(trx)) !== head.jobsVersion) {
    throw new BackupError(
      'This backup has a job queue of another version. Restore it with the version that made it.',
    )
  }
}

/** The table with the one row that the first start writes about the installation. */
const INSTALLATION = 'public.installation'

/**
 * Refuses a database that has rows. The installation's row and the job queue's own rows do not count, because an unused
 * database has them too.
 */
async function refuseRows(trx: Trx, tables: readonly StoredTable[]): Promise<void> {
  const owned = tables.filter(({ name }) => name.startsWith('public.') && name !== INSTALLATION)
  for (const { name } of owned) {
    const { rows } = await sql`select from ${sql.raw(name)} limit 1`.execute(trx)
    if (rows.length > 0) {
      throw new BackupError(`There are rows in ${name}. A backup is restored into an empty database only.`)
    }
  }
}

async function switchTriggers(
  trx: Trx,
  tables: readonly StoredTable[],
  to: 'enable' | 'disable',
): Promise<void> {
  for (const { name } of tables)
    await sql`alter table ${sql.raw(name)} ${sql.raw(to)} trigger user`.execute(trx)
}

async function insertRows(
  trx: Trx,
  tables: readonly StoredTable[],
  parts: AsyncIterable<BackupPart>,
): Promise<number> {
  let rowCount = 0
  let into: StoredTable | null = null
  let batch: string[] = []
  async function flush(): Promise<void> {
    if (into !== null && batch.length > 0) await insertBatch(trx, into, batch)
    rowCount += batch.length
    batch = []
  }
  for await (const part of parts) {
    if (part.kind === 'table') {
      await flush()
      into = getTable(tables, part)
    } else {
      batch.push(part.json)
      if (batch.length === BATCH_ROWS) await flush()
    }
  }
  await flush()
  return rowCount
}

/**
 * Returns the table with this name. The names come from a file, so only names of this database's tables may become part
 * of a statement.
 */
function getTable(
  tables: readonly StoredTable[],
  part: { table: string; columns: readonly string[] },
): StoredTable {
  const table = tables.find(({ name }) => name === part.table)
  const unknown = part.columns.filter((column) => !table?.columns.includes(column))
  if (table === undefined || unknown.length > 0) {
    throw new BackupError(
      `This program does not know ${[part.table, ...unknown].join(', ')}, which is in the backup.`,
    )
  }
  return { name: table.name, columns: part.columns }
}

async function insertBatch(trx: Trx, { name, columns }: StoredTable, rows: readonly string[]): Promise<void> {
  const list = sql.raw(columns.join(', '))
  await sql`insert into ${sql.raw(name)} (${list})
    select ${list} from json_populate_recordset(null::${sql.raw(name)}, ${`[${rows.join(',')}]`}::json)`.execute(
    trx,
  )
}
