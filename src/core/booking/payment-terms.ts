/** What a booking costs and whether it must be paid at once (spec §4 "Booking", decided questions "Two payment_required"). */
export type PaymentTermsQuery = {
  /** Price of the type in minor units; null when it has none or there is no type. */
  readonly priceCents: number | null
  readonly calendarRequiresPayment: boolean
  readonly typeRequiresPayment: boolean
  readonly providerConnected: boolean
}

export type PaymentTerms = {
  /** True: a booking without checkout is refused. */
  readonly mustPayFirst: boolean
  /** The payment status of a direct booking. */
  readonly paymentStatus: 'pending' | 'not_required'
}

/**
 * Decides what a booking owes. Payment comes first when the calendar or the type asks for it, there is a price,
 * and there is somewhere to pay; without a provider the money is a matter between the two of them.
 */
export function decidePaymentTerms(query: PaymentTermsQuery): PaymentTerms {
  const hasPrice = query.priceCents !== null && query.priceCents > 0
  const asked = query.calendarRequiresPayment || query.typeRequiresPayment
  return {
    mustPayFirst: hasPrice && asked && query.providerConnected,
    paymentStatus: hasPrice ? 'pending' : 'not_required',
  }
}
