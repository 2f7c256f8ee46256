import { sql } from 'kysely'
import type { Trx } from '../transaction.ts'

/** A table whose rows are part of a backup. */
export type StoredTable = {
  /** The name, qualified with its schema and quoted for SQL. */
  readonly name: string
  /** The columns, without those that the database generates. */
  readonly columns: readonly string[]
}

/**
 * The job queue's tables in a backup: queues, schedules and jobs. The queue's statistics and warnings are temporary,
 * and its version belongs to the program.
 */
const JOB_TABLES = ['pgboss.queue', 'pgboss.schedule', 'pgboss.job']

/** Lists every table with product data, each after the tables that its rows reference. */
export async function listStoredTables(trx: Trx): Promise<StoredTable[]> {
  const { rows } = await sql<{ name: string; columns: string[]; refers_to: string[] }>`
    select format('%I.%I', nspname, relname) as name,
      array(select quote_ident(attname) from pg_attribute
        where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) as columns,
      -- What is checked only at the end of the transaction does not ask for an order.
      array(select format('%I.%I', nspname, other.relname) from pg_constraint
        join pg_class as other on other.oid = confrelid
        where conrelid = class.oid and contype = 'f' and not condeferrable and confrelid <> class.oid) as refers_to
    from pg_class as class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and relkind = 'r' and relname <> 'schema_migrations'
      or nspname = 'pgboss' and format('%I.%I', nspname, relname) = any(${JOB_TABLES})
    order by nspname desc, relname`.execute(trx)
  const ordered: StoredTable[] = []
  const place = (name: string) => {
    const table = rows.find((row) => row.name === name)
    if (table === undefined || ordered.some((placed) => placed.name === name)) return
    for (const other of table.refers_to) place(other)
    ordered.push({ name, columns: table.columns })
  }
  for (const { name } of rows) place(name)
  for (const name of JOB_TABLES) place(name)
  return ordered
}

/** Returns the schema version of the job queue. */
export async function getJobSchemaVersion(trx: Trx): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from pgboss.version`.execute(trx)
  const version = rows[0]?.version
  if (version === undefined) throw new Error('The job queue has no version.')
  return version
}
