import { SECOND_MS } from '#core/shared/duration.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { actingAs } from '#server/platform/db/acting-as.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CalendarProviderName } from '#server/ports/external-calendar.ts'
import { NEVER_SYNCED_COLUMNS } from './calendar-repository.ts'
import type { ConnectionRow } from './connection-repository.ts'

/** Locks and returns one of the owner's connections. Disconnected ones are left out. */
export async function lockOwnConnection(
  trx: Trx,
  ownerId: OwnerId,
  id: string,
): Promise<ConnectionRow | null> {
  const row = await trx
    .selectFrom('calendar_connections')
    .selectAll()
    .select(actingAs(ownerId).as('actor'))
    .where('id', '=', id)
    .where('user_id', '=', ownerId)
    .where('state', '<>', 'revoked')
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Locks and lists all connections of an owner, including those about to be deleted. */
export async function listAllConnections(trx: Trx, userId: string): Promise<ConnectionRow[]> {
  return trx
    .selectFrom('calendar_connections')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** True when events that we wrote are still at the provider. */
export async function hasWrittenEvents(db: Db, connectionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('appointment_events')
    .innerJoin('external_calendars', 'external_calendars.id', 'appointment_events.external_calendar_id')
    .select('appointment_events.event_ref')
    .where('external_calendars.connection_id', '=', connectionId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Disconnects a connection from all calendars. The row stays until its events are removed; a running sync loses its
 * lease.
 */
export async function revokeConnection(trx: Trx, id: string, at: Date): Promise<void> {
  await trx
    .updateTable('calendar_connections')
    .set({ state: 'revoked', sync_claim: null, claimed_until: null, updated_at: at })
    .where('id', '=', id)
    .execute()
  const calendars = trx.selectFrom('external_calendars').select('id').where('connection_id', '=', id)
  await trx.deleteFrom('used_external_calendars').where('external_calendar_id', 'in', calendars).execute()
  await trx.deleteFrom('external_busy_times').where('external_calendar_id', 'in', calendars).execute()
  await trx.deleteFrom('unreadable_external_events').where('external_calendar_id', 'in', calendars).execute()
  await trx
    .updateTable('external_calendars')
    .set((row) => ({ ...NEVER_SYNCED_COLUMNS, generation: row('generation', '+', 1) }))
    .where('connection_id', '=', id)
    .execute()
}

/** Returns for how many more seconds writes of events through these connections may be running; 0 when none is. */
export async function getSecondsUntilWritesEnd(trx: Trx, ids: readonly string[], now: Date): Promise<number> {
  const { end } = await trx
    .selectFrom('event_turns')
    .select(({ fn }) => fn.max('claimed_until').as('end'))
    .where('connection_id', 'in', ids)
    .where('claimed_until', '>', now)
    .executeTakeFirstOrThrow()
  return end === null ? 0 : Math.ceil((end.getTime() - now.getTime()) / SECOND_MS)
}

/** Deletes a connection with its calendars, their copies, its channels, and our records of events there. */
export async function deleteConnection(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('calendar_connections').where('id', '=', id).execute()
}

/** True when any owner is connected to an account. */
export async function isAccountConnected(
  db: Db,
  { provider, accountId }: { readonly provider: CalendarProviderName; readonly accountId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('calendar_connections')
    .select('id')
    .where('provider', '=', provider)
    .where('account_id', '=', accountId)
    .where('state', '<>', 'revoked')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the recipient of an email about a deleted connection. Null when the owner's account was deleted too. */
export async function findMailRecipient(
  db: Db,
  userId: string,
): Promise<{ name: string; email: string } | null> {
  const row = await db
    .selectFrom('profiles')
    .select(['full_name as name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}
