import { isPlanActive, isSubscriptionRunning, type StoredPlan } from '#core/plans/decide-plan.ts'
import { isExpiringSoon } from '#core/plans/payment-reminders.ts'
import { PLANS } from '#core/plans/plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  BillingError,
  type BillingProvider,
  type ProviderSubscription,
} from '#server/ports/billing-provider.ts'
import { listBoughtPlans } from '#server/records/subscription/repository.ts'
import type { PlanSalesDeps } from './deps.ts'
import { BILLING_EMAIL_CHANGE_JOB, PLAN_SYNC_JOB } from './job-definitions.ts'
import { queuePlanNotice } from './queue-notices.ts'
import {
  findCustomer,
  findCustomerOfOwner,
  findOwner,
  insertCustomer,
  listOwnersWithChangedEmail,
  lockOwner,
} from './repository.ts'

/** A difference between a subscription at the provider and the stored plan. */
export type PlanDifference = {
  /** The owner; null when this installation knows no owner for the subscription. */
  readonly ownerId: OwnerId | null
  readonly customerId: string
  readonly subscriptionId: string
  readonly what: 'not_stored' | 'stored_otherwise' | 'runs_no_more' | 'unknown_price' | 'unknown_owner'
}

type Stored = { readonly ownerId: OwnerId; readonly plan: StoredPlan }

/** Lists all differences between the stored plans and the provider. Changes nothing. */
export async function listPlanDifferences(
  deps: Pick<PlanSalesDeps, 'db' | 'now' | 'billing'>,
): Promise<PlanDifference[]> {
  const stored = await mapStoredPlans(deps)
  const differences: PlanDifference[] = []
  for await (const subscription of deps.billing.listAllSubscriptions()) {
    const known = stored.get(subscription.id) ?? null
    stored.delete(subscription.id)
    const what = compare(deps.billing, subscription, known?.plan ?? null)
    if (what === null) continue
    const { id: subscriptionId, customerId } = subscription
    const ownerId = known?.ownerId ?? (await findOwnerOf(deps, subscription))
    differences.push({ ownerId, customerId, subscriptionId, what: ownerId === null ? 'unknown_owner' : what })
  }
  for (const [subscriptionId, { ownerId, plan }] of stored) {
    const runs = plan.bought !== null && isSubscriptionRunning(plan.bought) && isPlanActive(plan, deps.now())
    const customer = runs ? await findCustomerOfOwner(deps.db, ownerId) : null
    if (customer === null) continue
    differences.push({ ownerId, customerId: customer.customerId, subscriptionId, what: 'runs_no_more' })
  }
  return differences
}

/** Returns the bought plans by subscription id. */
async function mapStoredPlans({ db }: Pick<PlanSalesDeps, 'db'>): Promise<Map<string, Stored>> {
  const stored = new Map<string, Stored>()
  for (const { userId, plan } of await listBoughtPlans(db)) {
    // The cast is safe: the row belongs to this owner, and is only compared.
    if (plan.bought !== null) stored.set(plan.bought.subscriptionId, { ownerId: userId as OwnerId, plan })
  }
  return stored
}

function compare(
  billing: BillingProvider,
  subscription: ProviderSubscription,
  stored: StoredPlan | null,
): PlanDifference['what'] | null {
  const tier = billing.tierOf(subscription.priceId)
  if (tier === null) return 'unknown_price'
  if (stored === null || stored.bought === null)
    return isSubscriptionRunning(subscription) ? 'not_stored' : null
  const { status, periodEndsAtMs, cancelsAtMs } = stored.bought
  const isSame =
    stored.tier === tier &&
    status === subscription.status &&
    periodEndsAtMs === subscription.periodEndsAt.getTime() &&
    cancelsAtMs === (subscription.cancelsAt?.getTime() ?? null)
  return isSame ? null : 'stored_otherwise'
}

/**
 * Finds the owner of a subscription that is not stored: the customer's owner, or else the owner recorded at the
 * purchase. That happens after restoring a backup from before the purchase.
 */
async function findOwnerOf(
  { db }: Pick<PlanSalesDeps, 'db'>,
  { customerId, ownerId }: ProviderSubscription,
): Promise<OwnerId | null> {
  const customer = await findCustomer(db, customerId)
  if (customer !== null) return customer.ownerId
  if (ownerId === null || !UUID.test(ownerId)) return null
  // We recorded this id at the provider when the owner bought the plan.
  return (await findOwner(db, ownerId as OwnerId))?.id ?? null
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Compares all plans with the provider, every night. Syncs those that differ, and warns about cards that expire soon.
 * Source: rules S10 and S15.
 */
export async function syncDifferingPlans(deps: PlanSalesDeps): Promise<void> {
  const differences = await listPlanDifferences(deps)
  if (differences.length > 0)
    deps.log.warn({ differences: differences.length }, 'plans differ from the provider')
  const customerIds = new Set<string>()
  for (const { ownerId, customerId, what } of differences) {
    if (ownerId === null) {
      deps.log.error(
        { customerId, what },
        'a subscription at the provider belongs to no owner of this installation',
      )
      continue
    }
    await storeMissingCustomer(deps, ownerId, customerId)
    customerIds.add(customerId)
  }
  for (const customerId of customerIds) await deps.jobs.send(PLAN_SYNC_JOB, { customerId })
  for (const ownerId of await listOwnersWithChangedEmail(deps.db))
    await deps.jobs.send(BILLING_EMAIL_CHANGE_JOB, { ownerId })
  await warnOfExpiringCards(deps)
}

/** Stores the customer of an owner for whom none is stored, for example after restoring a backup. */
async function storeMissingCustomer(
  deps: PlanSalesDeps,
  ownerId: OwnerId,
  customerId: string,
): Promise<void> {
  if ((await findCustomerOfOwner(deps.db, ownerId)) !== null) return
  const owner = await findOwner(deps.db, ownerId)
  if (owner !== null) await insertCustomer(deps.db, { ownerId, customerId, email: owner.email })
}

/** Warns about expiring cards, one after the other: this is not urgent, and the provider limits requests per second. */
async function warnOfExpiringCards(deps: PlanSalesDeps): Promise<void> {
  for (const { userId, plan } of await listBoughtPlans(deps.db)) {
    if (plan.bought === null || !isSubscriptionRunning(plan.bought) || plan.endsAtMs !== null) continue
    // The cast is safe: the row belongs to this owner.
    await warnOfExpiringCard(deps, userId as OwnerId, plan).catch((error: unknown) => {
      if (!(error instanceof BillingError)) throw error
      deps.log.warn({ err: error }, 'a card could not be asked for')
    })
  }
}

async function warnOfExpiringCard(deps: PlanSalesDeps, ownerId: OwnerId, plan: StoredPlan): Promise<void> {
  const customer = await findCustomerOfOwner(deps.db, ownerId)
  const card = customer === null ? null : await deps.billing.findCard(customer.customerId)
  if (card === null || !isExpiringSoon(card, deps.now())) return
  const { brand, last4, expiryMonth, expiryYear } = card
  await inTransaction(deps.db, async (trx) => {
    if ((await lockOwner(trx, ownerId)) === null) return
    await queuePlanNotice(deps, trx, {
      ownerId,
      about: `${last4}:${expiryYear}-${String(expiryMonth).padStart(2, '0')}`,
      facts: {
        occasion: 'card_expiring',
        plan: PLANS[plan.tier].name,
        brand,
        last4,
        expiryMonth,
        expiryYear,
      },
    })
  })
}
