import { type Compilable, CompiledQuery, type Kysely } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'

type Db = Kysely<Schema>

/** What is to be asked of the database, with its parameters, and what its rows are. */
export type Query<Row> = CompiledQuery<Row>

/** Text of each prepared statement → the name that a connection knows it by. */
const statementNames = new Map<string, string>()

/**
 * Makes a statement whose plan a connection keeps: planning the most frequent queries takes longer than answering them.
 * Not for statements whose best plan depends on their parameters.
 */
export function prepareStatement<Row>(name: string, text: string) {
  statementNames.set(text, name)
  return (parameters: readonly unknown[]): CompiledQuery<Row> =>
    CompiledQuery.raw(text, [...parameters]) as CompiledQuery<Row> // what it selects is the text's affair
}

/**
 * Makes a prepared statement of a query that is built anew each time and reads the same each time, except for its
 * parameters.
 */
export function prepareBuilt<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  if (!statementNames.has(query.sql)) statementNames.set(query.sql, `built-${statementNames.size}`)
  return query
}

/**
 * A prepared statement from a query that is built once: building takes longer than sending it. `build` gets
 * placeholders, so it may only pass its parameters on, which have the same names in every call.
 */
export function prepareQuery<Parameters extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Db, parameters: Parameters) => Compilable<Row>,
) {
  let built: CompiledQuery<Row> | undefined
  const names = new Map<unknown, string>()
  return (db: Db, parameters: Parameters): CompiledQuery<Row> => {
    if (built === undefined) {
      for (const name of Object.keys(parameters)) names.set(Symbol(name), name)
      const placeholders = Object.fromEntries([...names].map(([placeholder, name]) => [name, placeholder]))
      built = prepareBuilt(build(db, placeholders as Parameters).compile()) // each stands for one of them
    }
    const values = built.parameters.map((value) => {
      const name = names.get(value)
      return name === undefined ? value : parameters[name]
    })
    return { ...built, parameters: values }
  }
}

/** Sends one query and waits for its rows. */
export async function listRows<Row>(db: Db, query: CompiledQuery<Row>): Promise<Row[]> {
  return (await db.executeQuery(query)).rows
}

/** Makes a connection keep what `prepareStatement` made. It does so by the name, which Kysely does not pass on. */
export function keepPrepared(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown
  const named = (text: unknown, values: unknown, ...rest: readonly unknown[]) => {
    const name = typeof text === 'string' ? statementNames.get(text) : undefined
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values })
  }
  // The library's overloads, of which this passes on every one.
  client.query = named as typeof client.query
}
