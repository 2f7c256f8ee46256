import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

export type PlanOccasion = Schema['plan_notices']['occasion']

/**
 * Records that an owner is notified about something. Returns false when they were already notified. Source: rule S15.
 */
export async function insertNotice(
  trx: Trx,
  ownerId: OwnerId,
  { occasion, about, at }: { readonly occasion: PlanOccasion; readonly about: string; readonly at: Date },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('plan_notices')
    .values({ user_id: ownerId, occasion, about, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('about')
    .executeTakeFirst()
  return inserted !== undefined
}
