import { sql } from 'kysely'
import type { StoredPlan } from '#core/plans/decide-plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** Finds the owner's current plan. Null when there is none or it has ended. */
export async function findSubscription(db: Db, ownerId: OwnerId, now: Date) {
  const row = await db
    .selectFrom('subscriptions')
    .select(['tier', 'ends_at'])
    .where('user_id', '=', ownerId)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .executeTakeFirst()
  return row === undefined ? null : { tier: row.tier, endsAt: row.ends_at }
}

export type PlanRow = {
  readonly plan: StoredPlan
  /** When the owner last chose which calendars stay open while the others are paused. */
  readonly calendarsChosenAt: Date | null
}

/** Returns the stored plan of an owner, including one that has ended. Null when there never was one. */
export async function findPlanRow(db: Db, ownerId: OwnerId): Promise<PlanRow | null> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', ownerId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    plan: { tier: row.tier, endsAtMs: row.ends_at?.getTime() ?? null, bought: toBought(row) },
    calendarsChosenAt: row.calendars_chosen_at,
  }
}

type BoughtColumns = {
  readonly provider_subscription_id: string | null
  readonly status: NonNullable<StoredPlan['bought']>['status'] | null
  readonly period_ends_at: Date | null
  readonly cancels_at: Date | null
  readonly next_tier: StoredPlan['tier'] | null
  readonly amount_cents: number | null
  readonly currency: string | null
  readonly past_due_since: Date | null
}

/** A table constraint guarantees that these columns are all set or all null. */
function toBought(row: BoughtColumns): StoredPlan['bought'] {
  const { provider_subscription_id, status, period_ends_at, amount_cents, currency } = row
  if (provider_subscription_id === null || status === null || period_ends_at === null) return null
  if (amount_cents === null || currency === null) return null
  return {
    subscriptionId: provider_subscription_id,
    status,
    periodEndsAtMs: period_ends_at.getTime(),
    cancelsAtMs: row.cancels_at?.getTime() ?? null,
    nextTier: row.next_tier,
    amountCents: amount_cents,
    currency,
    pastDueSinceMs: row.past_due_since?.getTime() ?? null,
  }
}

/** Stores a bought plan, replacing the previous one. */
export async function writePlanRow(trx: Trx, ownerId: OwnerId, plan: StoredPlan, now: Date): Promise<void> {
  const { bought } = plan
  if (bought === null) throw new Error('only a bought plan is written here')
  const columns = {
    tier: plan.tier,
    ends_at: toDate(plan.endsAtMs),
    provider_subscription_id: bought.subscriptionId,
    status: bought.status,
    period_ends_at: new Date(bought.periodEndsAtMs),
    cancels_at: toDate(bought.cancelsAtMs),
    next_tier: bought.nextTier,
    amount_cents: bought.amountCents,
    currency: bought.currency,
    past_due_since: toDate(bought.pastDueSinceMs),
    synced_at: now,
    updated_at: now,
  }
  await trx
    .insertInto('subscriptions')
    .values({ user_id: ownerId, ...columns, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/** Stores a plan that the operator gives, replacing the previous one. It does not end. Source: rule S17. */
export async function writeGivenPlan(
  trx: Trx,
  ownerId: OwnerId,
  tier: StoredPlan['tier'],
  now: Date,
): Promise<void> {
  const columns = {
    tier,
    ends_at: null,
    provider_subscription_id: null,
    status: null,
    period_ends_at: null,
    cancels_at: null,
    next_tier: null,
    amount_cents: null,
    currency: null,
    past_due_since: null,
    synced_at: null,
    updated_at: now,
  }
  await trx
    .insertInto('subscriptions')
    .values({ user_id: ownerId, ...columns, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/** Deletes a plan that the operator gave, so that the default plan applies again. */
export async function deleteGivenPlan(trx: Trx, ownerId: OwnerId): Promise<void> {
  await trx
    .deleteFrom('subscriptions')
    .where('user_id', '=', ownerId)
    .where('provider_subscription_id', 'is', null)
    .execute()
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}

/** Stores when the owner chose which calendars stay open. Does nothing for an owner who never had a plan. */
export async function writeOpenCalendarChoiceTime(trx: Trx, ownerId: OwnerId, now: Date): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set({ calendars_chosen_at: now })
    .where('user_id', '=', ownerId)
    .execute()
}

/** Lists the owner's calendars that are paused because the plan allows fewer, ordered by name. */
export function listPausedCalendars(db: Db, ownerId: OwnerId): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('calendars')
    .select(['id', 'name'])
    .where('user_id', '=', ownerId)
    .where('is_paused', '=', true)
    .orderBy('name')
    .execute()
}

/** Lists every stored plan that was bought, for the comparison with the provider. */
export async function listBoughtPlans(db: Db): Promise<{ userId: string; plan: StoredPlan }[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider_subscription_id', 'is not', null)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => ({
    userId: row.user_id,
    plan: { tier: row.tier, endsAtMs: row.ends_at?.getTime() ?? null, bought: toBought(row) },
  }))
}

/** Counts the owners by current plan and status. Owners without a stored plan are left out. */
export async function countOwnersByPlan(
  db: Db,
  now: Date,
): Promise<{ tier: StoredPlan['tier']; status: string | null; owners: number }[]> {
  return db
    .selectFrom('subscriptions')
    .select(['tier', 'status', sql<number>`count(*)::integer`.as('owners')])
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .groupBy(['tier', 'status'])
    .orderBy('tier')
    .orderBy('status')
    .execute()
}

export async function countOwners(db: Db): Promise<number> {
  const { owners } = await db
    .selectFrom('profiles')
    .select(sql<number>`count(*)::integer`.as('owners'))
    .executeTakeFirstOrThrow()
  return owners
}
