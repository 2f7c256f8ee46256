import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'

export type AuthorizationRow = Selectable<Schema['calendar_authorizations']>

/** Stores that an owner is on the way to a provider. */
export async function insertAuthorization(
  db: Db,
  authorization: Insertable<Schema['calendar_authorizations']>,
): Promise<void> {
  await db.insertInto('calendar_authorizations').values(authorization).execute()
}

/**
 * Redeems a way to a provider, once, for the session that set out. Null when there is none, when it belongs to another session,
 * or when it took too long.
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
