import { z } from 'zod'

export const sandboxCard = z.object({
  number: z.string(),
  expiryMonth: z.int().min(1).max(12),
  expiryYear: z.int(),
})
export type SandboxCard = z.infer<typeof sandboxCard>

type Outcome = {
  readonly brand: 'visa' | 'mastercard'
  /** Stripe's words when it is refused at once; null when it is taken. */
  readonly refusal: string | null
  /** Whether it pays when a plan is renewed. */
  readonly renews: boolean
  readonly what: string
}

/**
 * What may be typed, and what comes of it: Stripe's own test cards.
 * Source: https://docs.stripe.com/testing
 */
export const PLAN_CARDS: Readonly<Record<string, Outcome>> = {
  '4242424242424242': { brand: 'visa', refusal: null, renews: true, what: 'pays' },
  '5555555555554444': { brand: 'mastercard', refusal: null, renews: true, what: 'pays (Mastercard)' },
  '4000000000000341': {
    brand: 'visa',
    refusal: null,
    renews: false,
    what: 'pays now, fails at each renewal',
  },
  '4000000000000002': {
    brand: 'visa',
    refusal: 'Your card was declined.',
    renews: false,
    what: 'is declined at once',
  },
  '4000000000009995': {
    brand: 'visa',
    refusal: 'Your card has insufficient funds.',
    renews: false,
    what: 'has no money',
  },
}

export const WORKING_CARD = '4242 4242 4242 4242'
export const WORKING_EXPIRY = '12/34'

/** What a form sends. The end of the card is month/year with two digits. */
export const typedCard = z.object({
  card: z.string().max(50).default(''),
  expiry: z
    .string()
    .regex(/^\s*\d{1,2}\s*\/\s*\d{2}\s*$/)
    .catch(WORKING_EXPIRY),
})

type Reading =
  | { readonly card: SandboxCard; readonly refusal: null }
  | { readonly card: null; readonly refusal: string }

/** The card that was typed, or Stripe's words against it. */
export function readCard(typed: z.infer<typeof typedCard>, nowMs: number): Reading {
  const number = typed.card.replace(/\s/g, '')
  const [month = '', year = ''] = typed.expiry.split('/')
  const card = { number, expiryMonth: Number(month), expiryYear: 2000 + Number(year) }
  const known = PLAN_CARDS[number]
  if (known === undefined) return { card: null, refusal: 'Your card number is incorrect.' }
  if (known.refusal !== null) return { card: null, refusal: known.refusal }
  if (!sandboxCard.safeParse(card).success || isExpired(card, nowMs)) {
    return { card: null, refusal: 'Your card has expired.' }
  }
  return { card, refusal: null }
}

/** Whether a renewal at this moment is paid. */
export function canRenew(card: SandboxCard | null, nowMs: number): boolean {
  return card !== null && (PLAN_CARDS[card.number]?.renews ?? false) && !isExpired(card, nowMs)
}

/** A card is good until the end of its month. */
function isExpired({ expiryMonth, expiryYear }: SandboxCard, nowMs: number): boolean {
  return nowMs >= Date.UTC(expiryYear, expiryMonth)
}
