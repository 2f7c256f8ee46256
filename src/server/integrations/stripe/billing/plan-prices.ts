import type { PaidTier } from '#core/plans/decide-plan.ts'

/** The Stripe price id of each plan for sale. */
export type PlanPrices = Readonly<Record<PaidTier, string>>

/** Returns the plan that a price belongs to; null for a price that is not in the settings. */
export function findTierOfPrice(prices: PlanPrices, priceId: string): PaidTier | null {
  if (priceId === prices.professional) return 'professional'
  return priceId === prices.business ? 'business' : null
}
