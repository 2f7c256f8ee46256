import { isPlanActive } from '#core/plans/decide-plan.ts'
import type { PlanTier } from '#core/plans/plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { recordOperatorAction } from '#server/records/operator-actions/repository.ts'
import { deleteGivenPlan, findPlanRow, writeGivenPlan } from '#server/records/subscription/repository.ts'
import { applyStoredPlan } from './apply-stored-plan.ts'
import type { BillingDeps } from './deps.ts'
import { lockOwner } from './repository.ts'

/**
 * Gives an owner a plan without payment, until the operator takes it back with `null`: then the default plan applies.
 * Pauses and reopens calendars. False when the owner has a bought plan, which only Stripe can change. Source: rule S17.
 */
export async function givePlan(
  deps: Pick<BillingDeps, 'now' | 'jobs' | 'defaultTier'>,
  trx: Trx,
  { ownerId, tier }: { readonly ownerId: OwnerId; readonly tier: Exclude<PlanTier, 'free'> | null },
): Promise<boolean> {
  await lockOwner(trx, ownerId)
  const before = (await findPlanRow(trx, ownerId))?.plan ?? null
  if (before?.bought && isPlanActive(before, deps.now())) return false
  const now = new Date(deps.now())
  if (tier === null) await deleteGivenPlan(trx, ownerId)
  else await writeGivenPlan(trx, ownerId, tier, now)
  await applyStoredPlan(deps, trx, ownerId, before)
  await recordOperatorAction(trx, ownerId, {
    at: now,
    action: 'plan_given',
    detail: tier ?? deps.defaultTier,
  })
  return true
}
