import { type Compilable, CompiledQuery, type Kysely } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'

type Db = Kysely<Schema>

/** Text of each prepared statement → the name that a connection knows it by. */
const statementNames = new Map<string, string>()

/**
 * Makes a function that sends a statement of which each connection keeps the plan: planning what is asked most takes longer
 * than answering it. Not for statements whose best plan depends on their parameters.
 */
export function prepareStatement<Row>(name: string, text: string) {
  statementNames.set(text, name)
  return (db: Db, parameters: readonly unknown[]): Promise<Row[]> =>
    listRows(db, CompiledQuery.raw(text, [...parameters]) as CompiledQuery<Row>) // what it selects is the text's affair
}

/**
 * The same for a query of the query builder, which is built once: building takes longer than sending. `build` is given
 * placeholders, so it may only pass its parameters on, which have the same names in every call.
 */
export function prepareQuery<Parameters extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Db, parameters: Parameters) => Compilable<Row>,
) {
  let built: CompiledQuery<Row> | undefined
  const names = new Map<unknown, string>()
  return async (db: Db, parameters: Parameters): Promise<Row[]> => {
    if (built === undefined) {
      for (const name of Object.keys(parameters)) names.set(Symbol(name), name)
      const placeholders = Object.fromEntries([...names].map(([placeholder, name]) => [name, placeholder]))
      built = build(db, placeholders as Parameters).compile() // each stands for one of them
    }
    const values = built.parameters.map((value) => {
      const name = names.get(value)
      return name === undefined ? value : parameters[name]
    })
    return listRowsPrepared(db, { ...built, parameters: values })
  }
}

/** Sends a query that is built anew each time. Its text is prepared, so it must be one of a few. */
export function listRowsPrepared<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  if (!statementNames.has(query.sql)) statementNames.set(query.sql, `built-${statementNames.size}`)
  return listRows(db, query)
}

async function listRows<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  return (await db.executeQuery(query)).rows
}

/** Has a connection keep the plans of prepared statements. It does so by their names, which Kysely does not pass on. */
export function usePreparedStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown
  const named = (text: unknown, values: unknown, ...rest: readonly unknown[]) => {
    const name = typeof text === 'string' ? statementNames.get(text) : undefined
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values })
  }
  // The library's overloads, of which this passes on every one.
  client.query = named as typeof client.query
}
