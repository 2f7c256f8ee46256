import type { BoughtTier } from '#core/plan/decide-plan.ts'

/** The price at Stripe of each plan for sale. */
export type PlanPrices = Readonly<Record<BoughtTier, string>>

/** The plan of a price; null for one that the settings do not name. */
export function findTier(prices: PlanPrices, priceId: string): BoughtTier | null {
  if (priceId === prices.professional) return 'professional'
  return priceId === prices.business ? 'business' : null
}
