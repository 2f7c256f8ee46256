import { invalidRequest } from '#sandbox/stripe/fault.ts'
import type { PlanPrices } from '#server/integrations/stripe/billing/plan-prices.ts'

export type SandboxPrice = {
  readonly id: string
  readonly productId: string
  /** As the pages and the invoices call it. */
  readonly name: string
  readonly amountCents: number
  readonly currency: string
}

/** What the stand-in sells: both plans, and something else that is no plan. */
const PRICES: readonly SandboxPrice[] = [
  {
    id: 'price_sandbox_professional',
    productId: 'prod_sandbox_professional',
    name: 'Meridian Professional',
    amountCents: 999,
    currency: 'eur',
  },
  {
    id: 'price_sandbox_business',
    productId: 'prod_sandbox_business',
    name: 'Meridian Business',
    amountCents: 1_999,
    currency: 'eur',
  },
  {
    id: 'price_sandbox_of_something_else',
    productId: 'prod_sandbox_something_else',
    name: 'Something else',
    amountCents: 500,
    currency: 'eur',
  },
]

export const SANDBOX_PRICES: PlanPrices = {
  professional: 'price_sandbox_professional',
  business: 'price_sandbox_business',
}

export const UNKNOWN_PRICE = 'price_sandbox_of_something_else'

/** @throws StripeFault */
export function getPrice(id: string): SandboxPrice {
  const price = PRICES.find((known) => known.id === id)
  if (price === undefined) throw invalidRequest(`No such price: '${id}'`, { code: 'resource_missing' })
  return price
}

/** The plans that the portal offers instead of this one. */
export function listOtherPlans(priceId: string): SandboxPrice[] {
  return PRICES.filter(({ id }) => id !== priceId && id !== UNKNOWN_PRICE)
}
