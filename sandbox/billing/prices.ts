import type { BillingPrice } from '#server/ports/billing-provider.ts'

type SandboxPrice = Pick<BillingPrice, 'priceId' | 'amountCents' | 'currency'> & {
  /** The price's name on pages and invoices. */
  readonly name: string
}

/** The prices of the plans on sale. */
export const PLAN_PRICES = [
  {
    tier: 'professional',
    priceId: 'price_sandbox_professional',
    name: 'Meridian Professional',
    amountCents: 999,
    currency: 'eur',
  },
  {
    tier: 'business',
    priceId: 'price_sandbox_business',
    name: 'Meridian Business',
    amountCents: 1_999,
    currency: 'eur',
  },
] as const satisfies readonly (SandboxPrice & BillingPrice)[]

/** A price that belongs to none of Meridian's plans. */
export const UNKNOWN_PRICE: SandboxPrice = {
  priceId: 'price_sandbox_of_something_else',
  name: 'Something else',
  amountCents: 500,
  currency: 'eur',
}

/** Returns null for an unknown price. */
export function findPrice(priceId: string): SandboxPrice | null {
  return [...PLAN_PRICES, UNKNOWN_PRICE].find((price) => price.priceId === priceId) ?? null
}

/** @throws Error for an unknown price */
export function getPrice(priceId: string): SandboxPrice {
  const price = findPrice(priceId)
  if (price === null) throw new Error(`no price ${priceId}`)
  return price
}
