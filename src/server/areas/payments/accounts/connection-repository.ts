import type { Insertable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { ProviderName } from '#server/ports/payment-provider.ts'

/** Stores a one-time OAuth state for an owner who is about to connect an account at a provider. */
export async function insertConnectState(
  db: Db,
  connection: Insertable<Schema['payment_connections']>,
): Promise<void> {
  await db.insertInto('payment_connections').values(connection).execute()
}

/**
 * Consumes a one-time OAuth state for the session that started it. Returns its calendar; null when the state is unknown,
 * expired, or belongs to another session.
 */
export async function consumeConnectState(
  db: Db,
  way: {
    readonly stateHash: string
    readonly sessionId: string
    readonly provider: ProviderName
    readonly now: Date
  },
): Promise<string | null> {
  const taken = await db
    .deleteFrom('payment_connections')
    .where('state_hash', '=', way.stateHash)
    .where('session_id', '=', way.sessionId)
    .where('provider', '=', way.provider)
    .where('expires_at', '>', way.now)
    .returning('calendar_id')
    .executeTakeFirst()
  return taken?.calendar_id ?? null
}
