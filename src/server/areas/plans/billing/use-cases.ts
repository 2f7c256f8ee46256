import type { z } from 'zod'
import type {
  customerPortalBody,
  customerPortalResponse,
  ListInvoicesResponse,
  SubscriptionResponse,
} from '#contract/plans/subscription.ts'
import { isPlanActive, isSubscriptionRunning, type StoredPlan } from '#core/plans/decide-plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { BillingError, type BillingProvider, type PortalPage } from '#server/ports/billing-provider.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import { findPlanRow } from '#server/records/subscription/repository.ts'
import { getPlanOverview } from '#server/records/subscription/use-cases.ts'
import type { BillingDeps, PlanSalesDeps } from './deps.ts'
import { PLAN_SYNC_JOB } from './job-definitions.ts'
import { findCustomerOfOwner, insertBillingEvent } from './repository.ts'
import { syncSubscription } from './run-sync.ts'

/**
 * Refreshes the owner's plan from the provider. Also called when the owner returns from the checkout. Source: rule S10.
 * @throws ProblemError `subscription.refresh_failed`, `request.too_many`
 */
export async function refreshSubscription(
  deps: BillingDeps,
  ownerId: OwnerId,
): Promise<SubscriptionResponse> {
  const { billing } = deps
  const customer = await findCustomerOfOwner(deps.db, ownerId)
  if (billing !== null && customer !== null) {
    await countQuestion(deps, ownerId)
    await syncOrRefuse({ ...deps, billing }, customer.customerId, 'subscription.refresh_failed')
  }
  return getPlanOverview(deps, ownerId)
}

/**
 * Returns the URL of the provider's page where the owner changes or ends the plan, changes the card and sees the
 * invoices.
 * @throws ProblemError `subscription.not_for_sale`, `subscription.nothing_to_manage`, `subscription.portal_failed`,
 * `request.too_many`
 */
export async function openCustomerPortal(
  deps: BillingDeps,
  ownerId: OwnerId,
  { page, tier }: z.output<typeof customerPortalBody>,
): Promise<z.infer<typeof customerPortalResponse>> {
  const { billing } = deps
  if (billing === null) throw new ProblemError('subscription.not_for_sale')
  const customer = await findCustomerOfOwner(deps.db, ownerId)
  const plan = (await findPlanRow(deps.db, ownerId))?.plan ?? null
  if (customer === null || plan === null || plan.bought === null) {
    throw new ProblemError('subscription.nothing_to_manage')
  }
  await countQuestion(deps, ownerId)
  try {
    return await billing.createPortal({
      customerId: customer.customerId,
      returnUrl: `${deps.baseUrl}/profile?tab=subscription&from=portal`,
      page: await toPortalPage(billing, { page, tier, plan, nowMs: deps.now() }),
    })
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    deps.log.warn({ err: error }, 'the portal could not be opened')
    if (error.kind !== 'customer_gone') throw new ProblemError('subscription.portal_failed')
    await syncOrRefuse({ ...deps, billing }, customer.customerId, 'subscription.portal_failed')
    throw new ProblemError('subscription.nothing_to_manage')
  }
}

/**
 * Returns the page to open. Only a running subscription can be changed or ended; otherwise, the portal's home page
 * shows why not.
 */
async function toPortalPage(
  billing: BillingProvider,
  {
    page,
    tier,
    plan,
    nowMs,
  }: z.output<typeof customerPortalBody> & { readonly plan: StoredPlan; readonly nowMs: number },
): Promise<PortalPage> {
  const { bought } = plan
  if (page === 'card') return { kind: 'card' }
  if (page === 'home' || bought === null || !isSubscriptionRunning(bought) || !isPlanActive(plan, nowMs)) {
    return { kind: 'home' }
  }
  const { subscriptionId } = bought
  if (page === 'cancel') return plan.endsAtMs === null ? { kind: 'cancel', subscriptionId } : { kind: 'home' }
  if (tier === undefined || tier === plan.tier) return { kind: 'home' }
  const price = (await billing.listPrices()).find((one) => one.tier === tier)
  if (price === undefined) throw new ProblemError('subscription.not_for_sale')
  return { kind: 'change', subscriptionId, priceId: price.priceId }
}

/**
 * Lists the owner's invoices for plans, newest first.
 * @throws ProblemError `subscription.invoices_failed`, `request.too_many`
 */
export async function listInvoices(deps: BillingDeps, ownerId: OwnerId): Promise<ListInvoicesResponse> {
  const customer = await findCustomerOfOwner(deps.db, ownerId)
  if (deps.billing === null || customer === null) return { invoices: [] }
  await countQuestion(deps, ownerId)
  try {
    const invoices = await deps.billing.listInvoices(customer.customerId)
    return {
      invoices: invoices.map(({ id, number, issuedAt, amountCents, currency, status, url }) => ({
        id,
        number,
        issued_at: issuedAt.toISOString(),
        amount_cents: amountCents,
        currency,
        status,
        url,
      })),
    }
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    if (error.kind === 'customer_gone') return { invoices: [] }
    deps.log.warn({ err: error }, 'the invoices could not be listed')
    throw new ProblemError('subscription.invoices_failed')
  }
}

async function countQuestion({ budgets }: BillingDeps, ownerId: OwnerId): Promise<void> {
  refuseIfOverBudget(await budgets.spend([{ budget: 'plan_questions', subject: ownerId }]))
}

async function syncOrRefuse(
  deps: PlanSalesDeps,
  customerId: string,
  refusal: 'subscription.refresh_failed' | 'subscription.portal_failed',
): Promise<void> {
  try {
    await syncSubscription(deps, customerId)
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    deps.log.warn({ err: error }, 'the plan could not be asked for')
    throw new ProblemError(refusal)
  }
}

/** Maximum length of an id, type or customer in an event. The provider's are never longer. */
const LONGEST_NAME = 255

/**
 * Receives a billing event: verifies its signature, stores it once, and queues a sync. The content of the event is not
 * used. Source: rule S10.
 * @throws ProblemError `payment.webhook_unsigned` also for an event of a connected account, and where no plans are sold
 */
export async function receiveBillingEvent(
  deps: Pick<BillingDeps, 'billing' | 'db' | 'now' | 'jobs'>,
  request: Pick<WebhookRequest, 'headers' | 'rawBody'>,
): Promise<void> {
  const event = (await deps.billing?.readWebhook(request)) ?? null
  const names = [event?.id, event?.type, event?.customerId ?? '']
  if (event === null || names.some((name) => name === undefined || name.length > LONGEST_NAME)) {
    throw new ProblemError('payment.webhook_unsigned')
  }
  const { customerId } = event
  await inTransaction(deps.db, async (trx) => {
    const isNew = await insertBillingEvent(trx, event, new Date(deps.now()))
    if (isNew && customerId !== null) await deps.jobs.insert(trx, PLAN_SYNC_JOB, [{ customerId }])
  })
}
