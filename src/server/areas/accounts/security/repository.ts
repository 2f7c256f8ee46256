import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type StoredSession = {
  readonly id: string
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly created_at: Date
  /** When the session was last used. */
  readonly updated_at: Date
}

/** Maximum number of listed sessions. An owner with more can end the others all at once. */
const LISTED_SESSIONS = 100

/** Lists the owner's active sessions, the last used first. */
export async function listSessions(db: Db, ownerId: OwnerId): Promise<StoredSession[]> {
  return (
    db
      .selectFrom('sessions')
      .select(['id', 'ip_address', 'user_agent', 'created_at', 'updated_at'])
      .where('user_id', '=', ownerId)
      // Use the system clock here, because the account library sets the expiry by it.
      .where('expires_at', '>', new Date())
      .orderBy('updated_at', 'desc')
      .orderBy('id')
      .limit(LISTED_SESSIONS)
      .execute()
  )
}

/** Ends one session of the owner. Returns false when it does not exist. */
export async function deleteSession(trx: Trx, ownerId: OwnerId, sessionId: string): Promise<boolean> {
  const result = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', ownerId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Ends all of the owner's sessions except one, and returns how many. */
export async function deleteOtherSessions(trx: Trx, ownerId: OwnerId, keptId: string): Promise<number> {
  const result = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', ownerId)
    .where('id', '<>', keptId)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** True when the owner logs in with a second factor. */
export async function hasTwoFactor(db: Db, ownerId: OwnerId): Promise<boolean> {
  const row = await db
    .selectFrom('profiles')
    .select('two_factor_enabled')
    .where('id', '=', ownerId)
    .executeTakeFirst()
  return row?.two_factor_enabled ?? false
}

/** Like `hasTwoFactor`, but locks the setting until the transaction ends. */
export async function lockTwoFactor(trx: Trx, ownerId: OwnerId): Promise<boolean> {
  const row = await trx
    .selectFrom('profiles')
    .select('two_factor_enabled')
    .where('id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst()
  return row?.two_factor_enabled ?? false
}

/** Deletes the authenticator app's secret and the backup codes. */
export async function deleteAuthenticator(trx: Trx, ownerId: OwnerId): Promise<void> {
  await trx.deleteFrom('two_factors').where('user_id', '=', ownerId).execute()
}

/**
 * Marks the secret of the owner's authenticator app as verified and returns its id. Returns null when no secret exists.
 * Logins require a code only after `setTwoFactorEnabled`.
 */
export async function markAuthenticatorVerified(db: Db, ownerId: OwnerId): Promise<string | null> {
  const row = await db
    .updateTable('two_factors')
    .set({ verified: true })
    .where('user_id', '=', ownerId)
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function hasAuthenticator(trx: Trx, id: string): Promise<boolean> {
  return (
    (await trx.selectFrom('two_factors').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  )
}

/** Returns the owner's name and email address, for emails to them. */
export function getMailRecipient(trx: Trx, ownerId: OwnerId): Promise<{ fullName: string; email: string }> {
  return trx
    .selectFrom('profiles')
    .select(['full_name as fullName', 'email'])
    .where('id', '=', ownerId)
    .executeTakeFirstOrThrow()
}
