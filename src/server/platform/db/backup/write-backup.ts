import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { Trx } from '../transaction.ts'
import { BACKUP_FORMAT, BackupError, toBackupLine, toBackupRowLine } from './backup-file.ts'
import { getJobSchemaVersion, listStoredTables, type StoredTable } from './stored-tables.ts'

type WriteBackupInput = {
  readonly path: string
  readonly now: Date
  readonly secretKey: string | null
}

/** Number of rows per read, so that memory use does not grow with the database. */
const BATCH_ROWS = 500

/**
 * Writes a consistent snapshot of all rows into a new file that only its owner can read. The product keeps working
 * meanwhile.
 * @returns the number of rows
 * @throws BackupError when the file exists
 */
export async function writeBackup(db: Db, { path, now, secretKey }: WriteBackupInput): Promise<number> {
  const unfinished = `${path}.unfinished`
  let rowCount = 0
  async function* listLines(trx: Trx): AsyncGenerator<string> {
    const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(
      trx,
    )
    const migrations = rows.map(({ name }) => name)
    const jobsVersion = await getJobSchemaVersion(trx)
    yield toBackupLine({
      format: BACKUP_FORMAT,
      madeAt: now.toISOString(),
      migrations,
      jobsVersion,
      secretKey,
    })
    for (const table of await listStoredTables(trx)) {
      yield toBackupLine({ table: table.name, columns: [...table.columns] })
      for await (const json of readRows(trx, table)) {
        rowCount += 1
        yield toBackupRowLine(json)
      }
    }
    yield toBackupLine({ rowCount })
  }

  // Open the file first: a stream that opens its own file would fail later, during the transaction, and the error
  // handling below would then remove another backup's file.
  const file = await openNew(unfinished)
  try {
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((trx) =>
        pipeline(Readable.from(listLines(trx)), createGzip(), file.createWriteStream({ flush: true })),
      )
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return rowCount
}

/** Records the time of the backup for doctor and metrics. Databases of earlier versions have no columns for it. */
export async function recordBackup(db: Db, at: Date): Promise<void> {
  const column = await sql<{ exists: boolean }>`
    select exists (
      select from information_schema.columns where table_name = 'installation' and column_name = 'backup_error'
    ) as exists`.execute(db)
  if (column.rows[0]?.exists !== true) return
  await db
    .updateTable('installation')
    .set({ last_backup_at: at, backup_failed_at: null, backup_error: null })
    .execute()
}

/** Records why a backup failed, for doctor and metrics. */
export async function recordFailedBackup(
  db: Db,
  { at, reason }: { at: Date; reason: string },
): Promise<void> {
  await db.updateTable('installation').set({ backup_failed_at: at, backup_error: reason }).execute()
}

/** @throws BackupError when the file exists */
async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new BackupError(`${path} is there already: another backup is being made, or was broken off.`)
    }
    throw error
  }
}

async function* readRows(trx: Trx, { name, columns }: StoredTable): AsyncGenerator<string> {
  await sql`declare stored no scroll cursor for
    select row_to_json(stored)::text as json from (select ${sql.raw(columns.join(', '))} from ${sql.raw(name)}) as stored`.execute(
    trx,
  )
  for (;;) {
    const { rows } = await sql<{ json: string }>`fetch ${sql.lit(BATCH_ROWS)} from stored`.execute(trx)
    for (const { json } of rows) yield json
    if (rows.length < BATCH_ROWS) break
  }
  await sql`close stored`.execute(trx)
}
