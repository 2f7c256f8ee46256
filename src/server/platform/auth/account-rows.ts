import { randomUUID } from 'node:crypto'
import { splitName } from '#core/accounts/person-name.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { OwnerId } from './owner-id.ts'

/** Inserts an account with a confirmed email address, and its profile. */
export async function insertAccount(
  trx: Trx,
  {
    id,
    email,
    fullName,
    passwordHash,
  }: { id: string; email: string; fullName: string; passwordHash: string },
): Promise<void> {
  const { firstName, lastName } = splitName(fullName)
  await trx
    .insertInto('profiles')
    .values({
      id,
      email,
      email_verified: true,
      full_name: fullName,
      first_name: firstName,
      last_name: lastName,
      avatar_url: null,
    })
    .execute()
  await trx
    .insertInto('accounts')
    .values({
      id: randomUUID(),
      user_id: id,
      account_id: id,
      provider_id: 'credential',
      password: passwordHash,
    })
    .execute()
}

/**
 * Lets the confirmation link of a new account log in once, until `expiresAt`. `revokeOtherLogins` takes this back.
 * Source: rule U4.
 */
export async function allowFirstLogin(
  trx: Trx,
  { userId, expiresAt }: { userId: string; expiresAt: Date },
): Promise<void> {
  await trx
    .insertInto('verifications')
    .values({ id: randomUUID(), identifier: firstLoginOf(userId), value: userId, expires_at: expiresAt })
    .execute()
}

/** Uses up the login that `allowFirstLogin` allowed. Of concurrent requests, only one gets true. */
export async function consumeFirstLogin(
  db: Db,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> {
  const consumed = await db
    .deleteFrom('verifications')
    .where('identifier', '=', firstLoginOf(userId))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return consumed.numDeletedRows > 0n
}

/** Returns an identifier that the account library, which hashes its own, can never look up. */
function firstLoginOf(userId: string): string {
  return `first-login:${userId}`
}

/**
 * Removes everything that gives access to the account without a session: trusted devices, password reset links,
 * the first login of a new account, and logins that wait for a second factor. Source: rule U22.
 */
export async function revokeOtherLogins(trx: Trx, ownerId: OwnerId): Promise<void> {
  await trx.deleteFrom('verifications').where('value', '=', ownerId).execute()
}

/** Stores a new password hash. */
export async function updatePassword(trx: Trx, ownerId: OwnerId, hash: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ password: hash, updated_at: new Date() })
    .where('user_id', '=', ownerId)
    .where('provider_id', '=', 'credential')
    .execute()
}

/** Turns the second factor of a login on or off. */
export async function setTwoFactorEnabled(trx: Trx, ownerId: OwnerId, enabled: boolean): Promise<void> {
  await trx.updateTable('profiles').set({ two_factor_enabled: enabled }).where('id', '=', ownerId).execute()
}
