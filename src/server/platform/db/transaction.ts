import type { Transaction } from 'kysely'
import type { Db } from './database.ts'
import { isRetryable } from './pg-errors.ts'
import type { Schema } from './schema.ts'

export type Trx = Transaction<Schema>

/** Maximum number of retries of a transaction after a deadlock or serialization failure. */
const RETRIES = 2

/**
 * Runs `work` in a transaction and retries it after a deadlock or serialization failure. `work` must use only the given
 * transaction, must not do anything slow, and must await each statement before it sends the next: the embedded database
 * handles one statement at a time.
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

/** Runs `work` in a transaction and rolls it back, so that nothing is saved. Returns its result. `work` must do as in `inTransaction`. */
export async function inRolledBackTransaction<Result>(
  db: Db,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  const trx = await db.startTransaction().execute()
  try {
    return await work(trx)
  } finally {
    await trx.rollback().execute()
  }
}
