import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'

/** The subscription that is running now; null when there is none. */
export async function findSubscription(db: Db, ownerId: OwnerId, now: Date) {
  const row = await db
    .selectFrom('subscriptions')
    .select(['tier', 'ends_at'])
    .where('user_id', '=', ownerId)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .executeTakeFirst()
  return row === undefined ? null : { tier: row.tier, endsAt: row.ends_at }
}
