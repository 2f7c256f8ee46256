import { CompiledQuery, type DatabaseConnection, type QueryResult, type Transaction } from 'kysely'
import type { Db } from './database.ts'
import { SAVEPOINT } from './held-statements.ts'
import { isDatabaseUnavailable, isRetryable } from './pg-errors.ts'
import type { Schema } from './schema.ts'

export type Trx = Transaction<Schema>

/** How often a transaction that lost a deadlock or a serialisation race is tried again. */
const RETRIES = 2

/**
 * Runs `work` in one transaction, and again when the server chose it as the victim of a deadlock or a serialisation
 * failure. `work` uses nothing but its transaction, and does nothing slow.
 */
export async function inTransaction<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt >= RETRIES || !isRetryable(error)) throw error
    }
  }
}

/** The rows of each of some queries. */
export type RowsOf<Queries extends readonly CompiledQuery<unknown>[]> = {
  -readonly [Index in keyof Queries]: Queries[Index] extends CompiledQuery<infer Row> ? Row[] : never
}

/**
 * Sends queries of a transaction together, in this order: each sees what those before it did, and when one fails those
 * after it fail too.
 * @returns the rows of each
 * @throws the error of the first that failed
 */
export function listRowsTogether<const Queries extends readonly CompiledQuery<unknown>[]>(
  trx: Trx,
  queries: Queries,
): Promise<RowsOf<Queries>> {
  return trx.getExecutor().provideConnection((connection) => rowsOf(send(connection, queries)))
}

/**
 * Sends queries of a transaction together, and with them an attempt whose failure undoes only itself and not the
 * transaction around it.
 * @returns the rows of each query, and whether the attempt succeeded
 * @throws the error of the first query that failed, and an attempt that failed because the database itself is in
 *   trouble (want of room, for example): the rest would not be complete either
 */
export function listRowsAndTry<const Queries extends readonly CompiledQuery<unknown>[]>(
  trx: Trx,
  queries: Queries,
  attempt: { readonly queries: readonly CompiledQuery<unknown>[]; onFailure: (error: unknown) => void },
): Promise<{ rows: RowsOf<Queries>; isAttemptDone: boolean }> {
  return trx.getExecutor().provideConnection(async (connection) => {
    const certain = send(connection, queries)
    const attempted = send(connection, [CompiledQuery.raw(SAVEPOINT.set), ...attempt.queries])
    const [first, second] = await Promise.allSettled([rowsOf<Queries>(certain), answersTo(attempted)])
    if (first.status === 'rejected') throw first.reason
    if (second.status === 'rejected') {
      if (isDatabaseUnavailable(second.reason)) throw second.reason
      await connection.executeQuery(CompiledQuery.raw(SAVEPOINT.undo))
      attempt.onFailure(second.reason)
    } else {
      await connection.executeQuery(CompiledQuery.raw(SAVEPOINT.release))
    }
    return { rows: first.value, isAttemptDone: second.status === 'fulfilled' }
  })
}

/** A connection sends them in the order in which it is given them. */
function send(connection: DatabaseConnection, queries: readonly CompiledQuery<unknown>[]) {
  return queries.map((query) => connection.executeQuery(query))
}

async function rowsOf<Queries extends readonly CompiledQuery<unknown>[]>(
  sent: readonly Promise<QueryResult<unknown>>[],
): Promise<RowsOf<Queries>> {
  return (await answersTo(sent)).map(({ rows }) => rows) as RowsOf<Queries> // one for each, in their order
}

/**
 * The answers to queries that were sent together. The first failure makes those after it fail as well, and their
 * answers may overtake its own; its error is the reason.
 */
async function answersTo<Answer>(sent: readonly Promise<Answer>[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const answer of await Promise.allSettled(sent)) {
    if (answer.status === 'rejected') throw answer.reason
    answers.push(answer.value)
  }
  return answers
}
