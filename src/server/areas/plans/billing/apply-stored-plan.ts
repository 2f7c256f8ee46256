import { isPlanActive, type StoredPlan } from '#core/plans/decide-plan.ts'
import { includesPlan, PLANS } from '#core/plans/plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { applyCalendarLimit } from '#server/records/calendars/plan-use-cases.ts'
import { findPlanRow } from '#server/records/subscription/repository.ts'
import type { BillingDeps } from './deps.ts'
import { hasUnreportedEnd, queuePaymentReminders, queuePlanEndedMail } from './queue-notices.ts'
import { listUnsettledOwners, lockOwner } from './repository.ts'

/**
 * Applies the stored plan of an owner: pauses and reopens calendars, and queues emails about an ended plan or an
 * overdue payment. The caller has locked the account. Idempotent. Source: rules S13 to S15.
 */
export async function applyStoredPlan(
  deps: Pick<BillingDeps, 'now' | 'jobs' | 'defaultTier'>,
  trx: Trx,
  ownerId: OwnerId,
  before: StoredPlan | null,
): Promise<void> {
  const nowMs = deps.now()
  const stored = (await findPlanRow(trx, ownerId))?.plan ?? null
  const plan = PLANS[stored !== null && isPlanActive(stored, nowMs) ? stored.tier : deps.defaultTier]
  const { calendars } = await applyCalendarLimit(deps, trx, ownerId, {
    limit: plan.calendarLimit,
    now: new Date(nowMs),
  })
  if (hasUnreportedEnd(stored, nowMs)) {
    const about = `${stored.bought?.subscriptionId}:${new Date(stored.endsAtMs).toISOString()}`
    await queuePlanEndedMail(deps, trx, ownerId, { ended: stored, about, plan, calendars })
  } else if (before?.bought && isPlanActive(before, nowMs) && !includesPlan(plan.tier, before.tier)) {
    const about = `${before.bought.subscriptionId}:${before.tier}:${new Date(nowMs).toISOString()}`
    await queuePlanEndedMail(deps, trx, ownerId, { ended: before, about, plan, calendars })
  }
  await queuePaymentReminders(deps, trx, ownerId, stored)
}

/** Applies the plans of all owners whose plan has ended or whose payment is overdue. */
export async function applyStoredPlans(
  deps: Pick<BillingDeps, 'db' | 'now' | 'jobs' | 'defaultTier'>,
): Promise<void> {
  const { calendarLimit } = PLANS[deps.defaultTier]
  const limits = Object.values(PLANS).map(({ tier, calendarLimit: limit }) => ({ tier, limit }))
  const owners = await listUnsettledOwners(deps.db, { now: new Date(deps.now()), calendarLimit, limits })
  for (const ownerId of owners) {
    await inTransaction(deps.db, async (trx) => {
      if ((await lockOwner(trx, ownerId)) === null) return
      await applyStoredPlan(deps, trx, ownerId, null)
    })
  }
}
