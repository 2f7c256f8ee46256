/** What a booking costs and whether it must be paid at once (rule B5). */
export type PaymentTermsQuery = {
  /** Price of the type in minor units; null when it has none or there is no type. */
  readonly priceCents: number | null
  readonly calendarRequiresPayment: boolean
  readonly typeRequiresPayment: boolean
  readonly providerConnected: boolean
}

export type PaymentTerms = {
  /** True: a booking without checkout is refused. Source: rule B5. */
  readonly mustPayFirst: boolean
  /** The payment status of a direct booking. Source: rule B4. */
  readonly paymentStatus: 'pending' | 'not_required'
}

/**
 * Decides what a booking owes. Payment comes first when the calendar or the type asks for it, there is a price, and
 * there is somewhere to pay; without a provider the money is a matter between the two of them. Source: rule B5.
 */
export function decidePaymentTerms(query: PaymentTermsQuery): PaymentTerms {
  const hasPrice = query.priceCents !== null && query.priceCents > 0
  const asked = query.calendarRequiresPayment || query.typeRequiresPayment
  return {
    mustPayFirst: hasPrice && asked && query.providerConnected,
    paymentStatus: hasPrice ? 'pending' : 'not_required',
  }
}
