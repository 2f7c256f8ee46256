import type { Trx } from '#server/platform/db/transaction.ts'
import type { BillingEvent } from '#server/ports/billing-provider.ts'

/** Stores an event of the provider. Returns false when it was already stored. */
export async function insertBillingEvent(trx: Trx, event: BillingEvent, receivedAt: Date): Promise<boolean> {
  const inserted = await trx
    .insertInto('billing_events')
    .values({
      id: event.id,
      type: event.type,
      provider_customer_id: event.customerId,
      received_at: receivedAt,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}
