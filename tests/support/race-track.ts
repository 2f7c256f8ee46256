import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { startMeridian, type TestMeridian, type TestOptions } from './meridian.ts'
import { createDatabase } from './postgres-server.ts'
import { providedValue } from './provided-value.ts'
import { TEST_DATABASE_TIMEOUT_MS } from './test-database.ts'

type ServerOptions = Pick<TestOptions, 'env' | 'providers' | 'calendarProviders' | 'billing' | 'dns'> & {
  readonly poolSize?: number
  /** Maximum wait for a connection and for a statement, in milliseconds; `TEST_DATABASE_TIMEOUT_MS` by default. */
  readonly timeoutMs?: number
  /** URL of an existing database; a new one by default. */
  readonly url?: string
}

/** Starts all of Meridian on the tests' PostgreSQL server. */
export async function startOnPostgresServer(options: ServerOptions = {}): Promise<TestMeridian> {
  const url = options.url ?? (await createDatabase(await providedValue('postgresUrl')))
  const database = await openDatabase({
    url,
    dataDir: 'not used',
    poolSize: options.poolSize ?? 10,
    timeoutMs: options.timeoutMs ?? TEST_DATABASE_TIMEOUT_MS,
  })
  const { providers, calendarProviders, billing, dns } = options
  return startMeridian({
    database,
    env: { DATABASE_URL: url, ...options.env },
    ...(providers === undefined ? {} : { providers }),
    ...(calendarProviders === undefined ? {} : { calendarProviders }),
    ...(billing === undefined ? {} : { billing }),
    ...(dns === undefined ? {} : { dns }),
  })
}

/** A kind of database on which race tests run. */
export type DatabaseSetup = {
  readonly where: string
  readonly start: (
    options?: Pick<TestOptions, 'env' | 'providers' | 'calendarProviders' | 'billing'>,
  ) => Promise<TestMeridian>
}

/**
 * A pool with fewer connections than runners, a pool with a connection for each runner, and the embedded database's single
 * connection.
 */
export const DATABASE_SETUPS: readonly DatabaseSetup[] = [
  {
    where: 'a server with a pool of 10',
    start: (options) => startOnPostgresServer({ poolSize: 10, ...options }),
  },
  {
    where: 'a server with a pool of 40',
    start: (options) => startOnPostgresServer({ poolSize: 40, ...options }),
  },
  { where: 'the embedded database', start: startMeridian },
]

/** Runs a query of the test itself, and returns its rows. */
export async function queryRows(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return (await database.execute(text, values)).rows
}

/** Runs a query, and returns the first column of its first row as a number. */
export async function queryNumber(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<number> {
  const [row = {}] = await queryRows(database, text, values)
  return Number(Object.values(row)[0])
}

/** Counts the deadlocks that the server has resolved in this database so far. Sessions report them within a second. */
export function countDeadlocks(database: Database): Promise<number> {
  return queryNumber(database, 'select deadlocks from pg_stat_database where datname = current_database()')
}

/** Waits until every queued email has been sent; fails after 60 s with the unsent ones. */
export async function waitUntilEmailsSent(database: Database): Promise<void> {
  const open = `select name, state, data ->> 'kind' as kind, output from pgboss.job
    where (name like '%-mail' or name = 'account-request') and state <> 'completed' limit 10`
  await waitUntil(async () => {
    const mails = await queryRows(database, open)
    return mails.length === 0 || JSON.stringify(mails)
  })
}

/** Repeats `ask` until it returns true; fails after 60 s with its last result. */
export async function waitUntil(ask: () => Promise<unknown>): Promise<void> {
  let answer: unknown
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; ) {
    answer = await ask()
    if (answer === true) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`waited 60 s in vain, at last for ${answer}`)
}

/** Prints a measured duration in the test's output. */
export function printDuration(what: string, durationMs: number): void {
  process.stdout.write(`  ${what}: ${Math.round(durationMs)} ms\n`)
}
