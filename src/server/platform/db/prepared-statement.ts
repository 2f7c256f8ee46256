import { type Compilable, CompiledQuery, type Kysely } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'

type Db = Kysely<Schema>

/** Maps the text of each prepared statement to its name on the connection. */
const statementNames = new Map<string, string>()

/**
 * Returns a function that runs a prepared statement. Each connection caches its plan, because planning frequent
 * statements takes longer than executing them. Do not use it when the best plan depends on the parameters.
 */
export function prepareStatement<Row>(name: string, text: string) {
  statementNames.set(text, name)
  return (db: Db, parameters: readonly unknown[]): Promise<Row[]> =>
    listRows(db, CompiledQuery.raw(text, [...parameters]) as CompiledQuery<Row>) // The SQL text determines the row type.
}

/**
 * Like `prepareStatement`, for a query of the query builder. The query is built once, because building it takes longer
 * than sending it. `build` receives placeholders, so it must only pass its parameters through, and every call must use
 * the same parameter names.
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
      built = build(db, placeholders as Parameters).compile() // There is one placeholder per parameter.
    }
    const values = built.parameters.map((value) => {
      const name = names.get(value)
      return name === undefined ? value : parameters[name]
    })
    return runPreparedQuery(db, { ...built, parameters: values })
  }
}

/**
 * Runs a query that is built for each call. Its SQL text is prepared as a statement, so a query must have only a few
 * variants.
 */
export function runPreparedQuery<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  if (!statementNames.has(query.sql)) statementNames.set(query.sql, `built-${statementNames.size}`)
  return listRows(db, query)
}

async function listRows<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  return (await db.executeQuery(query)).rows
}

/** Makes a connection cache the plans of prepared statements by name. Kysely itself does not pass the names on. */
export function cachePreparedStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown
  const named = (text: unknown, values: unknown, ...rest: readonly unknown[]) => {
    const name = typeof text === 'string' ? statementNames.get(text) : undefined
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values })
  }
  // The cast is needed because one function replaces all overloads of the library's function.
  client.query = named as typeof client.query
}
