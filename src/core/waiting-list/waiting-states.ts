/** State of a customer on the waiting list. The last three are final. */
export type WaitingState = 'unconfirmed' | 'waiting' | 'offered' | 'accepted' | 'removed' | 'expired'

/**
 * `unpaid`: the customer accepted but did not pay, so the time was released. `taken`: somebody else booked the time.
 * Source: rules Z5 and Z12.
 */
export type OfferState = 'open' | 'accepted' | 'unpaid' | 'declined' | 'expired' | 'withdrawn' | 'taken'

/** After this many unanswered offers in a row, the customer is removed from the list. Source: rule Z7. */
export const MAX_UNANSWERED_OFFERS = 3

/**
 * Returns the current state of an offer: an open offer whose time is over has expired, whatever is stored. Source: rule
 * Z6.
 */
export function currentOfferState(
  offer: { readonly state: OfferState; readonly expires_at: Date },
  nowMs: number,
): OfferState {
  return offer.state === 'open' && nowMs >= offer.expires_at.getTime() ? 'expired' : offer.state
}
