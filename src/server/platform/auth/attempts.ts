import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

export type AttemptLimit = { readonly max: number; readonly windowSeconds: number }

/**
 * Counts an attempt. Null when it may be made, otherwise the seconds until the next one may. Kept next to the account
 * library's own counters and in the same way: the window starts anew with each attempt that was let through, and what
 * is older than the longest window of `auth.ts` is removed.
 */
export async function takeAttempt(db: Db, key: string, limit: AttemptLimit): Promise<number | null> {
  const nowMs = Date.now()
  const windowMs = limit.windowSeconds * 1_000
  const { rows } = await sql<{ count: number; last_request: string }>`
    insert into rate_limits as counted (key, count, last_request) values (${key}, 1, ${nowMs})
    on conflict (key) do update set
      count = case when counted.last_request <= ${nowMs - windowMs} then 1 else counted.count + 1 end,
      last_request = case
        when counted.last_request > ${nowMs - windowMs} and counted.count >= ${limit.max} then counted.last_request
        else ${nowMs} end
    returning count, last_request`.execute(db)
  const [counted] = rows
  if (counted === undefined || counted.count <= limit.max) return null
  return Math.max(1, Math.ceil((Number(counted.last_request) + windowMs - nowMs) / 1_000))
}

/** Forgets the attempts: the last one was right. */
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', key).execute()
}
