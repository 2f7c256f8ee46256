import type { Transaction } from 'kysely'
import type { Db } from './database.ts'
import { isRetryable } from './pg-errors.ts'
import type { Schema } from './schema.ts'

export type Trx = Transaction<Schema>

/** How often a transaction that lost a deadlock or a serialisation race is tried again. */
const RETRIES = 2

/**
 * Runs `work` in one transaction and tries it again when the server chose it as the victim of a deadlock or a
 * serialisation failure. `work` uses nothing but the transaction it is given, and does nothing slow. It waits for each
 * statement before it sends the next one: the connection of the embedded database takes one at a time.
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
