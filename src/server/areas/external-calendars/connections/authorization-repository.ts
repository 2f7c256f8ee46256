import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'

export type AuthorizationRow = Selectable<Schema['calendar_authorizations']>

/** Stores the OAuth state of an owner who is being sent to a provider. */
export async function insertAuthorization(
  db: Db,
  authorization: Insertable<Schema['calendar_authorizations']>,
): Promise<void> {
  await db.insertInto('calendar_authorizations').values(authorization).execute()
}

/**
 * Consumes an OAuth state once, for the session that started it. Null when it does not exist, belongs to another
 * session, or has expired.
 */
export async function consumeAuthorization(
  db: Db,
  way: {
    readonly stateHash: string
    readonly sessionId: string
    readonly provider: 'google' | 'microsoft'
    readonly now: Date
  },
): Promise<AuthorizationRow | null> {
  const taken = await db
    .deleteFrom('calendar_authorizations')
    .where('state_hash', '=', way.stateHash)
    .where('session_id', '=', way.sessionId)
    .where('provider', '=', way.provider)
    .where('expires_at', '>', way.now)
    .returningAll()
    .executeTakeFirst()
  return taken ?? null
}
