import type { Database } from '#server/platform/db/database.ts'

/** A job that should have been worked on, or was given up. */
export type StuckJobs = { readonly name: string; readonly count: number }

/** The time of the database, in epoch milliseconds. */
export async function readDatabaseClock(database: Database): Promise<number> {
  const { rows } = await database.execute('select extract(epoch from clock_timestamp()) * 1000 as ms')
  return Number(rows[0]?.ms)
}

/** The version of the server as a number: 18.0 is 180000. */
export async function readServerVersion(database: Database): Promise<number> {
  const { rows } = await database.execute("select current_setting('server_version_num') as version")
  return Number(rows[0]?.version)
}

/** The names of the applied migrations; null in a database that the product has never opened. */
export async function listAppliedMigrations(database: Database): Promise<string[] | null> {
  const found = await database.execute("select to_regclass('schema_migrations') is not null as is_there")
  if (found.rows[0]?.is_there !== true) return null
  const { rows } = await database.execute('select name from schema_migrations order by name')
  return rows.map(({ name }) => String(name))
}

/** Jobs that wait although they are due since then, by their kind. */
export function listLateJobs(database: Database, dueBefore: Date): Promise<StuckJobs[]> {
  return countJobs(database, "state in ('created', 'retry') and start_after < $1", dueBefore)
}

/** Jobs that were given up since then, by their kind. */
export function listGivenUpJobs(database: Database, since: Date): Promise<StuckJobs[]> {
  return countJobs(database, "state = 'failed' and completed_on > $1", since)
}

async function countJobs(database: Database, condition: string, at: Date): Promise<StuckJobs[]> {
  const text = `select name, count(*)::integer as count from pgboss.job where ${condition} group by name order by name`
  const { rows } = await database.execute(text, [at])
  return rows.map(({ name, count }) => ({ name: String(name), count: Number(count) }))
}
