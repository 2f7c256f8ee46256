import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'

/** Precision of a session's last use: it is written at most this often. Source: rule U23. */
const PRECISION_MS = 5 * 60_000

/** Sessions whose last use is being written, so that concurrent requests write it once. */
const underWay = new Set<string>()

/**
 * Records that a session was used, without waiting: one small statement in five minutes, and a failure only costs
 * precision. better-auth decides by the expiry whether to extend a session, so `updated_at` is free for this.
 */
export function recordLastUse(
  { db, log }: { readonly db: Db; readonly log: Log },
  session: { readonly id: string; readonly updatedAt: Date },
): void {
  if (Date.now() - session.updatedAt.getTime() < PRECISION_MS || underWay.has(session.id)) return
  underWay.add(session.id)
  sql`update sessions set updated_at = now() where id = ${session.id}`
    .execute(db)
    .catch((err: unknown) => log.debug({ err }, 'last use of a session'))
    .finally(() => underWay.delete(session.id))
}
