import {
  decidePlan,
  isPlanActive,
  isRunning,
  type KnownSubscription,
  type PlanDecision,
  type StoredPlan,
} from '#core/plan/decide-plan.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  BillingError,
  type BillingPrice,
  type BillingProvider,
  type ProviderSubscription,
} from '#server/ports/billing-provider.ts'
import { findPlanRow, writePlanRow } from '#server/records/subscription/repository.ts'
import { deleteCheckout } from './checkout-repository.ts'
import {
  type BillingCustomer,
  claimSyncAnswer,
  deleteCustomer,
  findCustomer,
  lockOwner,
} from './customer-repository.ts'
import type { SellingDeps } from './deps.ts'
import { SECOND_SUBSCRIPTION_END } from './job-definitions.ts'
import { queueDoublePaymentNotices, queueWelcome } from './queue-notices.ts'
import { settlePlan } from './settle-plan.ts'

/**
 * How often the provider is asked. A second answer that is outdated, too, needs no third: the sync that was faster that time began
 * after the first answer, so what it stored is newer than this call.
 */
const ATTEMPTS = 2

/**
 * Asks the provider for every subscription of a customer and stores the plan that they give. Events, the way back from the
 * checkout, the refresh and the nightly comparison all end here, so neither their order nor their number matters.
 *
 * The provider is asked outside of any transaction. An answer is written only when no other answer was written since it was asked
 * for. Otherwise it may be older than what is stored, and the provider is asked again. When it returns, an answer is stored that was
 * asked for after the call. Source: rule S10.
 * @throws BillingError when the provider does not answer
 */
export async function syncSubscription(deps: SellingDeps, customerId: string): Promise<void> {
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

/** Null when the customer was deleted at the provider. */
async function listKnownSubscriptions(
  billing: BillingProvider,
  customerId: string,
): Promise<KnownSubscription[] | null> {
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
): KnownSubscription {
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

/** False when the answer may be older than what is stored. */
async function write(
  deps: SellingDeps,
  customer: BillingCustomer,
  subscriptions: readonly KnownSubscription[] | null,
): Promise<boolean> {
  const { ownerId } = customer
  const outcome = await inTransaction(deps.db, async (trx) => {
    // The account was deleted meanwhile, and its subscription ended before.
    if ((await lockOwner(trx, ownerId)) === null) return null
    if (!(await claimSyncAnswer(trx, customer))) return 'outdated'
    const now = new Date(deps.now())
    const before = (await findPlanRow(trx, ownerId))?.plan ?? null
    const decision = decidePlan(subscriptions ?? [], before, now.getTime())
    const { plan, seconds } = decision
    if (plan !== null) {
      await writePlanRow(trx, ownerId, plan, now)
      await queueWelcome(deps, trx, ownerId, { before, after: plan })
    }
    if (plan?.bought && isRunning(plan.bought)) await deleteCheckout(trx, ownerId)
    if (seconds.length > 0) {
      const jobs = seconds.map(({ id, isPaid }) => ({ subscriptionId: id, refund: isPaid }))
      await deps.jobs.insert(trx, SECOND_SUBSCRIPTION_END, jobs)
      await queueDoublePaymentNotices(deps, trx, ownerId, { seconds, kept: plan })
    }
    await settlePlan(deps, trx, ownerId, before)
    if (subscriptions === null) await deleteCustomer(trx, customer)
    return { decision, before }
  })
  if (outcome === 'outdated') return false
  if (outcome !== null) tellOperator(deps, customer, { ...outcome, subscriptions: subscriptions ?? [] })
  return true
}

/** What only the operator can put right. Source: rule S11. */
function tellOperator(
  { log, now }: SellingDeps,
  { ownerId, customerId }: BillingCustomer,
  {
    decision,
    before,
    subscriptions,
  }: {
    readonly decision: PlanDecision
    readonly before: StoredPlan | null
    readonly subscriptions: readonly KnownSubscription[]
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
  if (isGiven && subscriptions.some(isRunning)) {
    log.error(about, 'an owner pays for a plan and was given one by hand: only the given one counts')
  }
}
