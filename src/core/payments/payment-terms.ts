/** The inputs that decide what a booking costs and whether it must be paid up front (rule B5). */
export type PaymentTermsQuery = {
  /** Price of the appointment type in minor units; null without a price or a type. */
  readonly priceCents: number | null
  readonly calendarRequiresPayment: boolean
  readonly typeRequiresPayment: boolean
  /** True when the owner accepts online payments. */
  readonly paymentEnabled: boolean
  readonly providerConnected: boolean
}

export type PaymentTerms = {
  /** True when a booking without a checkout must be refused. Source: rule B5. */
  readonly mustPayFirst: boolean
  /** True when payment is required but no payment provider is connected. Source: rule B5. */
  readonly lacksProvider: boolean
  /** Payment status of a booking without checkout. Source: rule B4. */
  readonly paymentStatus: 'pending' | 'not_required'
}

/**
 * Decides what a booking owes. Payment up front is required when the calendar or the type requires it, there is a
 * price, and the owner accepts online payments with a connected provider. Otherwise owner and customer settle the
 * payment between themselves. Source: rule B5.
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
