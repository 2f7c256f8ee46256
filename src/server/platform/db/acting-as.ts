import { type RawBuilder, sql } from 'kysely'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'

/**
 * A column for a statement that locks a row for an owner. It tells the database who acts until the transaction ends, so that triggers
 * can record it. A transaction without it is recorded as Meridian's own. Source: rule C22.
 */
export function actingAs(ownerId: OwnerId): RawBuilder<string> {
  return sql<string>`set_config('meridian.actor', ${ownerId}::text, true)`
}
