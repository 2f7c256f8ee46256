import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Removes what has served its time: idempotency keys after a day, ended holds after 30 days, sessions and links
 * that have expired, and throttle counters of yesterday.
 */
export async function removeOutdated(db: Db, nowMs: number): Promise<void> {
  const yesterday = new Date(nowMs - DAY_MS)
  await db.deleteFrom('idempotency_keys').where('created_at', '<', yesterday).execute()
  await db
    .deleteFrom('appointments')
    .where('released_at', '<', new Date(nowMs - 30 * DAY_MS))
    .execute()
  // The account library keeps these by the system's clock, not by ours.
  await sql`delete from sessions where expires_at < now()`.execute(db)
  await sql`delete from verifications where expires_at < now()`.execute(db)
  await sql`delete from rate_limits where last_request < extract(epoch from now() - interval '1 day') * 1000`.execute(
    db,
  )
}
