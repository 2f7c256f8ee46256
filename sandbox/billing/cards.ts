/** Cards that the pages accept or refuse. Source: https://docs.stripe.com/testing */
export const TEST_CARDS: Readonly<Record<string, CardBehavior>> = {
  '4242424242424242': { refusal: null, renews: true, description: 'pays' },
  '4000000000000341': { refusal: null, renews: false, description: 'pays now, fails at each renewal' },
  '4000000000000002': { refusal: 'Your card was declined.', renews: false, description: 'is declined' },
}

type CardBehavior = {
  /** Message when the card is refused at once; null when it is accepted. */
  readonly refusal: string | null
  /** True when the card can also be charged for renewals. */
  readonly renews: boolean
  readonly description: string
}

/** The refusal of a card. The page shows the error's message. */
export class CardRefusedError extends Error {}

/** Reads a typed card number. @throws CardRefusedError */
export function parseCardNumber(typed: string): string {
  const number = typed.replace(/\s/g, '')
  const known = TEST_CARDS[number]
  if (known === undefined) throw new CardRefusedError('Your card number is incorrect.')
  if (known.refusal !== null) throw new CardRefusedError(known.refusal)
  return number
}

/** True when the card can be charged for renewals. */
export function canChargeForRenewals(card: string | null): boolean {
  return card !== null && (TEST_CARDS[card]?.renews ?? false)
}
