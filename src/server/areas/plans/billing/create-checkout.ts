import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { z } from 'zod'
import type { subscriptionCheckoutBody, subscriptionCheckoutResponse } from '#contract/plans/subscription.ts'
import type { PaidTier } from '#core/plans/decide-plan.ts'
import { isPlanActive, isSubscriptionRunning, type StoredPlan } from '#core/plans/decide-plan.ts'
import { MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { BillingError, type BillingPrice } from '#server/ports/billing-provider.ts'
import { findPlanRow } from '#server/records/subscription/repository.ts'
import type { BillingDeps, PlanSalesDeps } from './deps.ts'
import {
  type BillingCustomer,
  deleteCheckout,
  findCustomerOfOwner,
  findOwner,
  insertCustomer,
  type LastCheckout,
  lockLastCheckout,
  storeNewCheckout,
  writeCheckoutUrl,
} from './repository.ts'
import { syncSubscription } from './run-sync.ts'

type Answer = z.infer<typeof subscriptionCheckoutResponse>

/** How long a repeated click leads to the same checkout, in milliseconds. */
const OFFERED_MS = 30 * MINUTE_MS
/**
 * Time after which a request that has not created its checkout counts as failed, in milliseconds. Another request may
 * then create one.
 */
const OPENING_MS = 30 * SECOND_MS
const WAIT_MS = 250
const WAITS = 60
const CUSTOMER_LOCK_WAITS = 8

/**
 * Returns the URL where the owner pays for a plan. An owner with a running subscription is sent to the portal to change
 * it. Repeated clicks lead to one checkout; a checkout for another plan ends the earlier one. Source: rules S10 and
 * S11.
 * @throws ProblemError `subscription.not_for_sale`, `subscription.given`, `subscription.checkout_failed`,
 * `subscription.checkout_under_way`, `request.too_many`
 */
export async function createSubscriptionCheckout(
  deps: BillingDeps,
  ownerId: OwnerId,
  { tier }: z.output<typeof subscriptionCheckoutBody>,
): Promise<Answer> {
  const { billing } = deps
  if (billing === null) throw new ProblemError('subscription.not_for_sale')
  refuseIfOverBudget(await deps.budgets.spend([{ budget: 'plan_questions', subject: ownerId }]))
  const stored = (await findPlanRow(deps.db, ownerId))?.plan ?? null
  if (stored !== null && stored.bought === null && isPlanActive(stored, deps.now())) {
    throw new ProblemError('subscription.given')
  }
  try {
    return await openCheckoutOrPortal({ ...deps, billing }, ownerId, tier)
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    deps.log.warn({ err: error }, 'a plan could not be bought')
    throw new ProblemError('subscription.checkout_failed')
  }
}

async function openCheckoutOrPortal(deps: PlanSalesDeps, ownerId: OwnerId, tier: PaidTier): Promise<Answer> {
  const price = (await deps.billing.listPrices()).find((one) => one.tier === tier)
  if (price === undefined) throw new ProblemError('subscription.not_for_sale')
  const customer = await getCustomer(deps, ownerId)
  // The owner may have just paid in another tab, before Stripe's event arrived. Sync first.
  await syncSubscription(deps, customer.customerId)
  const plan = (await findPlanRow(deps.db, ownerId))?.plan ?? null
  if (plan?.bought && isSubscriptionRunning(plan.bought)) return toPortal(deps, customer, { plan, price })
  // If the customer was deleted at the provider, the sync has deleted our record, and the owner gets a new customer.
  const present = await getCustomer(deps, ownerId)
  return { kind: 'checkout', url: await openCheckout(deps, present, price) }
}

/** Returns the owner's customer at the provider, creating it at the first purchase. */
async function getCustomer(deps: PlanSalesDeps, ownerId: OwnerId): Promise<BillingCustomer> {
  const known = await findCustomerOfOwner(deps.db, ownerId)
  if (known !== null) return known
  const owner = await findOwner(deps.db, ownerId)
  if (owner === null) throw new ProblemError('auth.required')
  try {
    const { customerId } = await deps.billing.createCustomer({ ownerId, ...owner })
    await insertCustomer(deps.db, { ownerId, customerId, email: owner.email })
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    const other = await waitForCustomer(deps, ownerId)
    if (other === null) throw error
    return other
  }
  const stored = await findCustomerOfOwner(deps.db, ownerId)
  if (stored === null) throw new ProblemError('auth.required')
  return stored
}

/**
 * Waits for a customer that another request is creating, because the provider refuses to create it twice. Returns null
 * when none appears.
 */
async function waitForCustomer({ db }: PlanSalesDeps, ownerId: OwnerId): Promise<BillingCustomer | null> {
  for (let waits = 0; waits < CUSTOMER_LOCK_WAITS; waits += 1) {
    const stored = await findCustomerOfOwner(db, ownerId)
    if (stored !== null) return stored
    await setTimeout(WAIT_MS)
  }
  return null
}

async function toPortal(
  { billing, baseUrl }: PlanSalesDeps,
  { customerId }: BillingCustomer,
  { plan, price }: { readonly plan: StoredPlan; readonly price: BillingPrice },
): Promise<Answer> {
  const { bought } = plan
  const isChange = plan.tier !== price.tier && bought !== null && bought.status !== 'past_due'
  const { url } = await billing.createPortal({
    customerId,
    returnUrl: `${baseUrl}/pricing`,
    page: isChange
      ? { kind: 'change', subscriptionId: bought.subscriptionId, priceId: price.priceId }
      : { kind: 'home' },
  })
  return { kind: 'portal', url }
}

/** Creates a checkout, or returns the one created a moment ago. Only one is open at a time. */
async function openCheckout(
  deps: PlanSalesDeps,
  customer: BillingCustomer,
  price: BillingPrice,
): Promise<string> {
  const { ownerId, customerId } = customer
  const begun = await reserveOrFindCheckout(deps, ownerId, price.priceId)
  if (begun.url !== null) return begun.url
  try {
    await deps.billing.endOpenCheckouts(customerId)
    const { url } = await deps.billing.createCheckout({
      customerId,
      ownerId,
      priceId: price.priceId,
      successUrl: `${deps.baseUrl}/dashboard?subscription=success`,
      cancelUrl: `${deps.baseUrl}/pricing`,
      key: begun.key,
    })
    await writeCheckoutUrl(deps.db, ownerId, begun.key, url)
    return url
  } catch (error) {
    await deleteCheckout(deps.db, ownerId, begun.key)
    throw error
  }
}

type Begun = { readonly url: string | null; readonly key: string }

/**
 * Reserves a new checkout or finds an open one, waiting while another request creates one.
 * @throws ProblemError `subscription.checkout_under_way` when that takes too long
 */
async function reserveOrFindCheckout(deps: PlanSalesDeps, ownerId: OwnerId, priceId: string): Promise<Begun> {
  for (let waits = 0; waits < WAITS; waits += 1) {
    const begun = await inTransaction(deps.db, async (trx): Promise<Begun | null> => {
      const last = await lockLastCheckout(trx, ownerId)
      const at = new Date(deps.now())
      const standing = judge(last, priceId, at)
      if (standing === 'being_opened') return null
      if (standing === 'offered' && last !== null) return { url: last.url, key: last.key }
      const key = randomUUID()
      await storeNewCheckout(trx, ownerId, { priceId, key, at })
      return { url: null, key }
    })
    if (begun !== null) return begun
    await setTimeout(WAIT_MS)
  }
  throw new ProblemError('subscription.checkout_under_way')
}

function judge(last: LastCheckout | null, priceId: string, at: Date): 'none' | 'offered' | 'being_opened' {
  if (last === null) return 'none'
  // Use the absolute value, because the clock may have been set back in the meantime.
  const ageMs = Math.abs(at.getTime() - last.at.getTime())
  if (last.url === null) return ageMs < OPENING_MS ? 'being_opened' : 'none'
  return last.priceId === priceId && ageMs < OFFERED_MS ? 'offered' : 'none'
}
