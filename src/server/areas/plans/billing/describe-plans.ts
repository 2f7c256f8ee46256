import { PLANS } from '#core/plans/plan.ts'
import { BillingError } from '#server/ports/billing-provider.ts'
import { countOwners, countOwnersByPlan } from '#server/records/subscription/repository.ts'
import { listPlanDifferences, type PlanDifference } from './check-plans.ts'
import type { BillingDeps } from './deps.ts'

const WORDS: Readonly<Record<PlanDifference['what'], string>> = {
  not_stored: 'runs at Stripe and is not stored here',
  stored_otherwise: 'is stored otherwise than at Stripe',
  runs_no_more: 'runs here and no more at Stripe',
  unknown_price: 'has a price that the settings do not name',
  unknown_owner: 'belongs to no owner of this installation',
}

/**
 * Returns a report for the operator, line by line: how many owners have each plan, how many payments are overdue, and
 * the differences from Stripe.
 */
export async function describePlans(
  deps: Pick<BillingDeps, 'db' | 'now' | 'billing' | 'defaultTier'>,
): Promise<string[]> {
  const counts = await countOwnersByPlan(deps.db, new Date(deps.now()))
  const owners = await countOwners(deps.db)
  const withPlan = counts.reduce((sum, count) => sum + count.owners, 0)
  const pastDue = counts
    .filter(({ status }) => status === 'past_due')
    .reduce((sum, one) => sum + one.owners, 0)
  return [
    `Owners: ${owners}`,
    `  ${PLANS[deps.defaultTier].name} (the default plan here): ${owners - withPlan}`,
    ...counts.map(
      ({ tier, status, owners: count }) => `  ${PLANS[tier].name} (${toWords(status)}): ${count}`,
    ),
    `Past due: ${pastDue}`,
    ...(await describeDifferences(deps)),
  ]
}

function toWords(status: string | null): string {
  return status === null ? 'given by hand' : status.replaceAll('_', ' ')
}

async function describeDifferences(deps: Pick<BillingDeps, 'db' | 'now' | 'billing'>): Promise<string[]> {
  const { billing } = deps
  if (billing === null) return ['No plan is for sale here']
  try {
    const differences = await listPlanDifferences({ ...deps, billing })
    if (differences.length === 0) return ['Differs from Stripe: 0']
    return [
      `Differs from Stripe: ${differences.length}`,
      ...differences.map(
        ({ subscriptionId, customerId, ownerId, what }) =>
          `  ${subscriptionId} of ${customerId} (owner ${ownerId ?? 'unknown'}) ${WORDS[what]}`,
      ),
      'The nightly comparison brings them up to date, as far as owner and price are known.',
    ]
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return [`Stripe does not answer: ${error.message}`]
  }
}
