import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Client, toClient } from '#server/platform/http/client-of.ts'

/** Whether a public calendar is this owner's. Nobody owns one who is not logged in. */
export async function isOwnCalendar(db: Db, slug: string, ownerId: OwnerId | null): Promise<boolean> {
  if (ownerId === null) return false
  const row = await db
    .selectFrom('calendars')
    .select('id')
    .where('slug', '=', slug)
    .where('user_id', '=', ownerId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the owner of a public calendar has logged in from this client: it is where they work. Source: rule H12. */
export async function isOwnersClient(db: Db, slug: string, client: Client): Promise<boolean> {
  const sessions = await db
    .selectFrom('calendars')
    .innerJoin('sessions', 'sessions.user_id', 'calendars.user_id')
    .select('sessions.ip_address')
    .where('slug', '=', slug)
    .where('ip_address', 'is not', null)
    .execute()
  return sessions.some(({ ip_address }) => toClient(ip_address ?? undefined).address === client.address)
}
