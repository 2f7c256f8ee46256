import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type Invitation = {
  readonly id: string
  readonly email: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Stores an invitation, which replaces an earlier one of the same address. */
export async function writeInvitation(trx: Trx, invitation: Invitation): Promise<void> {
  const { id, email, createdAt: created_at, expiresAt: expires_at } = invitation
  const columns = { id, created_at, expires_at }
  await trx
    .insertInto('invitations')
    .values({ email, ...columns })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(columns))
    .execute()
}

/** True when this invitation exists, is for this address and has not expired. */
export async function isInvited(
  db: Db,
  { id, email }: { id: string; email: string },
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('id', '=', id)
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Uses up the invitation of an address. Of concurrent requests, only one gets true; false when it has expired. */
export async function consumeInvitation(trx: Trx, email: string, now: Date): Promise<boolean> {
  const row = await trx
    .deleteFrom('invitations')
    .where('email', '=', email)
    .returning('expires_at')
    .executeTakeFirst()
  return row !== undefined && row.expires_at > now
}

/** Lists the invitations that have not expired, the latest first. */
export function listInvitations(db: Db, now: Date): Promise<{ email: string; expires_at: Date }[]> {
  return db
    .selectFrom('invitations')
    .select(['email', 'expires_at'])
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('email')
    .limit(1_000)
    .execute()
}
