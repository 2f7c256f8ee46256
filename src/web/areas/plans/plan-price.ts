import type { PlanTier } from '#core/plans/plan.ts'
import { formatPrice } from '#web/shared/format-price.ts'
import { isBought, type PlanSale, type PlanViewer, tierNamed } from './plan-answer.ts'

/** What a plan costs, in words. */
export type PlanPriceText = {
  readonly text: string
  /** It is an amount for a month. */
  readonly isAmount: boolean
  readonly note: string | null
}

/** The price of a plan for whoever looks. No price is shown that cannot be paid here. Source: rules S6 and S9. */
export function toPlanPrice(tier: PlanTier, viewer: PlanViewer, sale: PlanSale): PlanPriceText {
  const { default_plan, plans_for_sale } = sale
  const price = plans_for_sale.find((plan) => plan.tier === tier)
  const currency = plans_for_sale[0]?.currency ?? 'eur'
  if (tier === 'free') return amount(formatPrice({ amount_cents: 0, currency }))
  if (tier === default_plan) return words('No charge here')
  if (price !== undefined)
    return amount(formatPrice(price), isGiven(tier, viewer) ? 'At no charge for you' : null)
  return words(tier === 'enterprise' ? 'Coming soon' : 'Not sold here')
}

/** The operator gave the plan to this owner. */
function isGiven(tier: PlanTier, viewer: PlanViewer): boolean {
  if (!viewer.signedIn || viewer.subscription === null || isBought(viewer.subscription)) return false
  return tierNamed(viewer.subscription.subscription_tier) === tier
}

function amount(text: string, note: string | null = null): PlanPriceText {
  return { text, isAmount: true, note }
}

function words(text: string): PlanPriceText {
  return { text, isAmount: false, note: null }
}
