/** What a booking costs and whether it must be paid at once (rule B5). */
export type PaymentTermsQuery = {
  /** Price of the type in minor units; null when it has none or there is no type. */
  readonly priceCents: number | null
  readonly calendarRequiresPayment: boolean
  readonly typeRequiresPayment: boolean
  /** Whether the owner takes payments online. */
  readonly paymentEnabled: boolean
  readonly providerConnected: boolean
}

export type PaymentTerms = {
  /** True: a booking without a checkout is refused. Source: rule B5. */
  readonly mustPayFirst: boolean
  /** True: payment is required, and nothing is connected that could take it. Source: rule B5. */
  readonly lacksProvider: boolean
  /** The payment status of a direct booking. Source: rule B4. */
  readonly paymentStatus: 'pending' | 'not_required'
}

/**
 * Decides what a booking owes. The customer pays at once when the calendar or the type requires it, there is a price,
 * and a provider of an owner who takes payments online is connected. Without one, owner and customer settle the money between themselves.
 * Source: rule B5.
 */
export function decidePaymentTerms(query: PaymentTermsQuery): PaymentTerms {
  const hasPrice = query.priceCents !== null && query.priceCents > 0
  const asked = query.calendarRequiresPayment || query.typeRequiresPayment
  const isRequired = hasPrice && asked && query.paymentEnabled
  return {
    mustPayFirst: isRequired && query.providerConnected,
    lacksProvider: isRequired && !query.providerConnected,
    paymentStatus: hasPrice ? 'pending' : 'not_required',
  }
}
