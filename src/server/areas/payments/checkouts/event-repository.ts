import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { ProviderEvent, ProviderName } from '#server/ports/payment-provider.ts'

/** True when this provider event is already stored. */
export async function hasStoredEvent(db: Db, provider: ProviderName, eventId: string): Promise<boolean> {
  const told = await db
    .selectFrom('payment_events')
    .select('event_id')
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return told !== undefined
}

/** Stores a provider event. Returns false when it was stored before. */
export async function insertEvent(
  trx: Trx,
  provider: ProviderName,
  event: Pick<ProviderEvent, 'id' | 'type'>,
  receivedAt: Date,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('payment_events')
    .values({ provider, event_id: event.id, type: event.type, received_at: receivedAt })
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return inserted !== undefined
}
