/** Where somebody on the waiting list stands. The last three are ends. */
export type WaitingState = 'unconfirmed' | 'waiting' | 'offered' | 'accepted' | 'removed' | 'expired'

export type OfferState = 'open' | 'accepted' | 'declined' | 'expired' | 'withdrawn'

/** Somebody who left so many offers in a row unanswered is taken off the list. Source: rule Z7. */
export const MOST_UNANSWERED = 3

/** How an offer stands now: one whose time is over has expired, whatever is stored. Source: rule Z6. */
export function presentState(
  offer: { readonly state: OfferState; readonly expiresAtMs: number },
  nowMs: number,
): OfferState {
  return offer.state === 'open' && nowMs >= offer.expiresAtMs ? 'expired' : offer.state
}
