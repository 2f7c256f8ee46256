import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Client, toClient } from '#server/platform/http/client-of.ts'

/** True when the calendar with this slug belongs to this owner. False for a visitor who is not logged in. */
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

/**
 * True when the calendar's owner has a session from this IP address, which is then taken to be their workplace. Source: rule
 * H12.
 */
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
