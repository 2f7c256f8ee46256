import { sql, type Transaction } from 'kysely'
import type { Db } from './database.ts'
import { SAVEPOINT } from './held-statements.ts'
import { isDatabaseUnavailable, isRetryable } from './pg-errors.ts'
import type { Schema } from './schema.ts'

export type Trx = Transaction<Schema>

/** How often a transaction that lost a deadlock or a serialisation race is tried again. */
const RETRIES = 2

/**
 * Runs `work` in one transaction and tries it again when the server chose it as the victim of a deadlock or a
 * serialisation failure. `work` uses nothing but the transaction it is given, and does nothing slow.
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

/**
 * Runs `work` so that its failure undoes only itself and not the transaction around it.
 * @returns whether it succeeded
 * @throws what says that the database itself is in trouble, for want of room, say: the rest would not be whole either
 */
export async function tryInSavepoint(
  trx: Trx,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<boolean> {
  await sql.raw(SAVEPOINT.set).execute(trx)
  try {
    await work()
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    await sql.raw(SAVEPOINT.undo).execute(trx)
    onFailure(error)
    return false
  }
  await sql.raw(SAVEPOINT.release).execute(trx)
  return true
}
