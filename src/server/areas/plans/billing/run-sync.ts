import {
  decidePlan,
  isPlanActive,
  isSubscriptionRunning,
  type PlanDecision,
  type StoredPlan,
  type SubscriptionWithTier,
} from '#core/plans/decide-plan.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  BillingError,
  type BillingPrice,
  type BillingProvider,
  type ProviderSubscription,
} from '#server/ports/billing-provider.ts'
import { findPlanRow, writePlanRow } from '#server/records/subscription/repository.ts'
import { applyStoredPlan } from './apply-stored-plan.ts'
import type { PlanSalesDeps } from './deps.ts'
import { SECOND_SUBSCRIPTION_END_JOB } from './job-definitions.ts'
import { queueDoublePaymentNotices, queueWelcomeMail } from './queue-notices.ts'
import {
  type BillingCustomer,
  claimSyncResponse,
  deleteCheckout,
  deleteCustomer,
  findCustomer,
  lockOwner,
} from './repository.ts'

/**
 * Maximum number of requests to the provider. If the second response is outdated too, no third request is needed: the
 * other sync started after the first response, so the data it stored are newer than this call.
 */
const ATTEMPTS = 2

/**
 * Loads every subscription of a customer from the provider and stores the resulting plan. Events, the return from the
 * checkout, the refresh and the nightly comparison all call this, so their order and number do not matter.
 *
 * The provider is called outside of any transaction. A response is stored only if no other response has been stored
 * since the request; otherwise it may be outdated, and the provider is asked again. When this function returns, the
 * stored response was requested after the call began. Source: rule S10.
 * @throws BillingError when the provider does not respond
 */
export async function syncSubscription(deps: PlanSalesDeps, customerId: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const customer = await findCustomer(deps.db, customerId)
    if (customer === null) {
      deps.log.info({ customerId }, 'an event about no customer of ours')
      return
    }
    const subscriptions = await listKnownSubscriptions(deps.billing, customerId)
    if (await write(deps, customer, subscriptions)) return
  }
}

/** Lists the customer's subscriptions. Returns null when the customer was deleted at the provider. */
async function listKnownSubscriptions(
  billing: BillingProvider,
  customerId: string,
): Promise<SubscriptionWithTier[] | null> {
  try {
    const subscriptions = await billing.listSubscriptions(customerId)
    const changes = subscriptions.some(({ nextPriceId }) => nextPriceId !== null)
    const prices = changes ? await billing.listPrices() : []
    return subscriptions.map((subscription) => toKnown(billing, subscription, prices))
  } catch (error) {
    if (error instanceof BillingError && error.kind === 'customer_gone') return null
    throw error
  }
}

function toKnown(
  billing: BillingProvider,
  subscription: ProviderSubscription,
  prices: readonly BillingPrice[],
): SubscriptionWithTier {
  const { id, status, priceId, nextPriceId, currency, hasFailedForGood } = subscription
  const next = prices.find((price) => price.priceId === nextPriceId)
  return {
    id,
    status,
    tier: billing.tierOf(priceId),
    nextTier: nextPriceId === null ? null : billing.tierOf(nextPriceId),
    amountCents: next?.amountCents ?? subscription.amountCents,
    currency: next?.currency ?? currency,
    createdAtMs: subscription.createdAt.getTime(),
    periodEndsAtMs: subscription.periodEndsAt.getTime(),
    cancelsAtMs: subscription.cancelsAt?.getTime() ?? null,
    endedAtMs: subscription.endedAt?.getTime() ?? null,
    hasFailedForGood,
  }
}

/** Stores a response. Returns false when it may be outdated. */
async function write(
  deps: PlanSalesDeps,
  customer: BillingCustomer,
  subscriptions: readonly SubscriptionWithTier[] | null,
): Promise<boolean> {
  const { ownerId } = customer
  const outcome = await inTransaction(deps.db, async (trx) => {
    // The account was deleted in the meantime, and with it its subscription.
    if ((await lockOwner(trx, ownerId)) === null) return null
    if (!(await claimSyncResponse(trx, customer))) return 'outdated'
    const now = new Date(deps.now())
    const before = (await findPlanRow(trx, ownerId))?.plan ?? null
    const decision = decidePlan(subscriptions ?? [], before, now.getTime())
    const { plan, seconds } = decision
    if (plan !== null) {
      await writePlanRow(trx, ownerId, plan, now)
      await queueWelcomeMail(deps, trx, ownerId, { before, after: plan })
    }
    if (plan?.bought && isSubscriptionRunning(plan.bought)) await deleteCheckout(trx, ownerId)
    if (seconds.length > 0) {
      const jobs = seconds.map(({ id, isPaid }) => ({ subscriptionId: id, refund: isPaid }))
      await deps.jobs.insert(trx, SECOND_SUBSCRIPTION_END_JOB, jobs)
      await queueDoublePaymentNotices(deps, trx, ownerId, { seconds, kept: plan })
    }
    await applyStoredPlan(deps, trx, ownerId, before)
    if (subscriptions === null) await deleteCustomer(trx, customer)
    return { decision, before }
  })
  if (outcome === 'outdated') return false
  if (outcome !== null)
    logOperatorProblems(deps, customer, { ...outcome, subscriptions: subscriptions ?? [] })
  return true
}

/** Logs problems that only the operator can solve. Source: rule S11. */
function logOperatorProblems(
  { log, now }: PlanSalesDeps,
  { ownerId, customerId }: BillingCustomer,
  {
    decision,
    before,
    subscriptions,
  }: {
    readonly decision: PlanDecision
    readonly before: StoredPlan | null
    readonly subscriptions: readonly SubscriptionWithTier[]
  },
): void {
  const about = { ownerId, customerId }
  if (decision.unknownPrices.length > 0) {
    log.error(
      { ...about, subscriptions: decision.unknownPrices },
      'a subscription has a price that the settings do not name',
    )
  }
  const isGiven = before !== null && before.bought === null && isPlanActive(before, now())
  if (isGiven && subscriptions.some(isSubscriptionRunning)) {
    log.error(about, 'an owner pays for a plan and was given one by hand: only the given one counts')
  }
}
