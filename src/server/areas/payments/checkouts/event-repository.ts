import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { ProviderEvent, ProviderName } from '#server/ports/payment-provider.ts'

/** Whether a provider has sent this event before. */
export async function hasStoredEvent(db: Db, provider: ProviderName, eventId: string): Promise<boolean> {
  const told = await db
    .selectFrom('payment_events')
    .select('event_id')
    .where('provider', '=', provider)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  return told !== undefined
}

/** Stores an event of a provider. False when it was stored before. */
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
