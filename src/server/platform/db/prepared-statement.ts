import { type Compilable, CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Db } from './database.ts'

/** Text of each prepared statement → the name that a connection knows it by. */
const names = new Map<string, string>()

/**
 * Makes a statement of which a connection keeps the plan: planning what is asked most takes longer than answering it.
 * Not for statements whose best plan depends on their parameters.
 */
export function prepareStatement<Row>(name: string, text: string) {
  names.set(text, name)
  return async (db: Db, parameters: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))
    return rows
  }
}

/** The same for a query that is built anew each time and reads the same each time, but for its parameters. */
export async function executePrepared<Row>(db: Db, query: Compilable<Row>): Promise<Row[]> {
  const compiled = query.compile()
  if (!names.has(compiled.sql)) names.set(compiled.sql, `built-${names.size}`)
  return (await db.executeQuery(compiled)).rows
}

/** Has a connection keep what `prepareStatement` made; it does so by the name, which Kysely does not pass on. */
export function keepPrepared(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown
  const named = (text: unknown, values: unknown, ...rest: readonly unknown[]) => {
    const name = typeof text === 'string' ? names.get(text) : undefined
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values })
  }
  // The library's overloads, of which this passes on every one.
  client.query = named as typeof client.query
}
