import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { type Database, openDatabase, startPGlite } from '#server/platform/db/database.ts'
import { providedValue } from './provided-value.ts'

/**
 * Databases of this process that no test has open. Each is as it was after the migrations. Emptying a database takes a tenth of
 * the CPU time of starting one.
 */
const idle: PGlite[] = []

/**
 * Maximum wait of a test for a connection, and on a server also for a statement, in milliseconds. On a busy machine dozens of
 * requests wait for a few connections. Code that needs a second connection while it holds one fails its test after this time.
 */
export const TEST_DATABASE_TIMEOUT_MS = 60_000

/** Opens a separate embedded database in memory, with all migrations. */
export async function openTestDatabase(timeoutMs = TEST_DATABASE_TIMEOUT_MS): Promise<Database> {
  const running = idle.pop() ?? (await startFromTemplate())
  const database = await openDatabase({ dataDir: 'not used', running, poolSize: 1, timeoutMs })
  let closing: Promise<void> | undefined
  const close = async () => {
    await database.close()
    if (await putBack(running)) idle.push(running)
    else await running.close()
  }
  return {
    ...database,
    close() {
      closing ??= close()
      return closing
    },
  }
}

async function startFromTemplate(): Promise<PGlite> {
  const template = await providedValue('databaseTemplate')
  const pglite = await startPGlite('memory://', await openAsBlob(join(template, 'pgdata.tar')))
  migrated ??= await readMigrated(pglite)
  return pglite
}

/** The content of a database after the migrations. */
type Migrated = {
  readonly tables: readonly string[]
  /** The rows of each non-empty table, as a JSON array. */
  readonly rows: ReadonlyMap<string, string>
  readonly schema: string
}
let migrated: Migrated | undefined

async function readMigrated(pglite: PGlite): Promise<Migrated> {
  const found = await pglite.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')`,
  )
  const tables = found.rows.map(({ name }) => name)
  const rows = new Map<string, string>()
  for (const table of tables) {
    const kept = await pglite.query<{ rows: string | null }>(
      `select json_agg(t)::text as rows from ${table} as t`,
    )
    const [{ rows: json = null } = {}] = kept.rows
    if (json !== null) rows.set(table, json)
  }
  return { tables, rows, schema: await readSchema(pglite) }
}

/**
 * Returns a text that changes with every table, index, constraint, trigger and function. Emptying a table also changes its row in
 * `pg_class`, so only the names in that catalog are read.
 */
async function readSchema(pglite: PGlite): Promise<string> {
  const catalogs = ['pg_attribute', 'pg_index', 'pg_constraint', 'pg_trigger', 'pg_proc']
  const { rows } = await pglite.query(
    `select (select md5(string_agg(relname, ',' order by oid)) from pg_class),
       ${catalogs.map((name) => `(select array[count(*), max(xmin::text::bigint)] from ${name}) as ${name}`).join(', ')}`,
  )
  return JSON.stringify(rows)
}

/**
 * Resets the database to its state after the migrations. Returns false when its schema has changed, so that it cannot be used
 * again.
 */
async function putBack(pglite: PGlite): Promise<boolean> {
  await pglite.exec('rollback')
  await pglite.exec('discard all')
  if (migrated === undefined || (await readSchema(pglite)) !== migrated.schema) return false
  await pglite.exec(`truncate ${migrated.tables.join(', ')}`)
  for (const [table, rows] of migrated.rows) {
    await pglite.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      rows,
    ])
  }
  // Frees the memory of the write-ahead log, which a database in memory keeps until a checkpoint.
  await pglite.exec('checkpoint')
  return true
}
