import { deleteRegistrationsOfOwner } from '#server/areas/accounts/registrations/repository.ts'
import { revokeOtherLogins } from '#server/platform/auth/account-rows.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>

/** Returns the profile of an owner. Null when the account was deleted. */
export async function findProfile(db: Db, ownerId: OwnerId) {
  return (await profileOf(db, ownerId).executeTakeFirst()) ?? null
}

/** Locks the profile: until the transaction ends, nobody else can change it, create a calendar for it, or delete it. */
export async function lockProfile(trx: Trx, ownerId: OwnerId): Promise<ProfileRow | null> {
  return (await profileOf(trx, ownerId).forUpdate().executeTakeFirst()) ?? null
}

/** True when an account has this email address (in lower case). */
export async function hasAccountWithEmail(db: Db, email: string): Promise<boolean> {
  const row = await db.selectFrom('profiles').select('id').where('email', '=', email).executeTakeFirst()
  return row !== undefined
}

function profileOf(db: Db, ownerId: OwnerId) {
  return db
    .selectFrom('profiles')
    .select([
      'id',
      'email',
      'full_name',
      'first_name',
      'last_name',
      'avatar_url',
      'phone',
      'time_zone',
      'bio',
      'notify_bookings',
      'notify_cancellation_requests',
      'notify_cancellations',
      'two_factor_enabled',
      'created_at',
      'updated_at',
    ])
    .where('id', '=', ownerId)
}

export type ProfileValues = {
  readonly full_name?: string
  readonly first_name?: string
  readonly last_name?: string
  readonly email?: string
  readonly phone?: string | null
  readonly time_zone?: string | null
  readonly bio?: string | null
  readonly notify_bookings?: boolean
  readonly notify_cancellation_requests?: boolean
  readonly notify_cancellations?: boolean
}

/** Changes the given fields and leaves the others. Returns false when the account was deleted. */
export async function updateProfile(
  db: Db,
  ownerId: OwnerId,
  values: ProfileValues,
  updatedAt: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('profiles')
    .set({ ...values, updated_at: updatedAt })
    .where('id', '=', ownerId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Deletes the account and everything that depends on it: logins, sessions, plan, unused links and registrations. */
export async function deleteProfileRow(trx: Trx, ownerId: OwnerId): Promise<void> {
  await deleteRegistrationsOfOwner(trx, ownerId)
  await trx.deleteFrom('profiles').where('id', '=', ownerId).execute()
  await revokeOtherLogins(trx, ownerId)
}
