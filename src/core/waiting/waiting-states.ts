/** Where somebody on the waiting list stands. The last three are ends. */
export type WaitingState = 'unconfirmed' | 'waiting' | 'offered' | 'accepted' | 'removed' | 'expired'

/**
 * `unpaid`: it was accepted, and the time went back because no payment came. `taken`: somebody else has the time. Source: rules Z5 and
 * Z12.
 */
export type OfferState = 'open' | 'accepted' | 'unpaid' | 'declined' | 'expired' | 'withdrawn' | 'taken'

/** Somebody who left so many offers in a row unanswered is taken off the list. Source: rule Z7. */
export const MAX_UNANSWERED_OFFERS = 3

/** How an offer stands now: one whose time is over has expired, whatever is stored. Source: rule Z6. */
export function currentOfferState(
  offer: { readonly state: OfferState; readonly expiresAt: Date },
  nowMs: number,
): OfferState {
  return offer.state === 'open' && nowMs >= offer.expiresAt.getTime() ? 'expired' : offer.state
}
