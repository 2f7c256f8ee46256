import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { BillingError, type ProviderSubscription } from '#server/ports/billing-provider.ts'
import { findPlanRow } from '#server/records/subscription/repository.ts'
import type { BillingDeps } from './deps.ts'
import { findCustomerOfOwner } from './repository.ts'

/** Subscription statuses that no longer charge anybody. */
const ENDED_STATUSES: ReadonlySet<ProviderSubscription['status']> = new Set([
  'canceled',
  'incomplete_expired',
])

/**
 * Ends all subscriptions and open checkouts of an owner before the account is deleted. Payments are not refunded,
 * because the owner ends the plan. Returns true if a subscription was ended. Source: rule S16.
 * @throws ProblemError `subscription.deletion_failed` when the provider does not respond; then nothing is deleted
 */
export async function endPlanOfOwner(deps: BillingDeps, ownerId: OwnerId): Promise<boolean> {
  const customer = await findCustomerOfOwner(deps.db, ownerId)
  if (customer === null) return false
  const { customerId } = customer
  if (deps.billing === null) {
    const plan = (await findPlanRow(deps.db, ownerId))?.plan ?? null
    const subscriptionId = plan?.bought?.subscriptionId
    deps.log.error(
      { customerId, subscriptionId },
      'an account with a plan is deleted, and Stripe is not set up any more',
    )
    return false
  }
  try {
    await deps.billing.endOpenCheckouts(customerId)
    const subscriptions = await deps.billing.listSubscriptions(customerId)
    const running = subscriptions.filter(({ status }) => !ENDED_STATUSES.has(status))
    for (const { id } of running) await deps.billing.endSubscription({ subscriptionId: id, refund: false })
    return running.length > 0
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    if (error.kind === 'customer_gone') return false
    deps.log.warn({ err: error, customerId }, 'a plan could not be ended')
    throw new ProblemError('subscription.deletion_failed')
  }
}
