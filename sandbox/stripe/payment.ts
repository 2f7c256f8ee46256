import { z } from 'zod'

const refund = z.object({
  number: z.int(),
  amountCents: z.int(),
  createdS: z.int(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  metadata: z.record(z.string(), z.string()),
})
export type SandboxRefund = z.infer<typeof refund>

/** Everything that is known about one checkout: Stripe shows it as a session, a payment, a charge and refunds. */
export const sandboxPayment = z.object({
  /** What the ids of all four have in common. */
  key: z.string(),
  accountId: z.string(),
  createdS: z.int(),
  expiresAtS: z.int(),
  amountCents: z.int(),
  currency: z.string(),
  description: z.string(),
  customerEmail: z.string(),
  clientReferenceId: z.string(),
  metadata: z.record(z.string(), z.string()),
  successUrl: z.string(),
  cancelUrl: z.string(),
  status: z.enum(['open', 'requires_action', 'processing', 'paid', 'failed', 'expired']),
  /** What the customer tried to pay with; null before. */
  card: z.string().nullable(),
  refunds: z.array(refund),
  /** A refund was refused for want of money, as the e-mail address asked for. */
  hasRefusedRefund: z.boolean(),
})
export type SandboxPayment = z.infer<typeof sandboxPayment>

type CardOutcome = 'pays' | 'declined' | 'asks_bank' | 'takes_days'

/**
 * What a customer may type, and what comes of it: Stripe's own test cards and a test bank account.
 * Source: https://docs.stripe.com/testing
 */
export const CARDS: Readonly<
  Record<
    string,
    { readonly outcome: CardOutcome; readonly refund?: 'pending' | 'failed'; readonly what: string }
  >
> = {
  '4242424242424242': { outcome: 'pays', what: 'pays' },
  '4000000000000002': { outcome: 'declined', what: 'is declined' },
  '4000000000003220': { outcome: 'asks_bank', what: 'asks the bank first' },
  DE89370400440532013000: {
    outcome: 'takes_days',
    what: 'bank account: stays under way until the dashboard ends it',
  },
  '4000000000007726': { outcome: 'pays', refund: 'pending', what: 'pays; a refund stays on its way' },
  '4000000000005126': { outcome: 'pays', refund: 'failed', what: 'pays; a refund fails afterwards' },
}

/** A session that nobody ended is over at its hour. */
export function atInstant(payment: SandboxPayment, nowS: number): SandboxPayment {
  return isOpen(payment) && nowS >= payment.expiresAtS ? { ...payment, status: 'expired' } : payment
}

/** Whether the customer can still pay. */
export function isOpen({ status }: SandboxPayment): boolean {
  return status === 'open' || status === 'requires_action'
}

/** What becomes of an open checkout whose customer pays with this; `refusal` is for the customer's eyes. */
export function decideAttempt(
  payment: SandboxPayment,
  typedCard: string,
): { readonly payment: SandboxPayment; readonly refusal: string | null } {
  const card = typedCard.replace(/\s/g, '').toUpperCase()
  switch (CARDS[card]?.outcome) {
    case 'pays':
      return { payment: { ...payment, card, status: 'paid' }, refusal: null }
    case 'asks_bank':
      return { payment: { ...payment, card, status: 'requires_action' }, refusal: null }
    case 'takes_days':
      return { payment: { ...payment, card, status: 'processing' }, refusal: null }
    case 'declined':
      return { payment: { ...payment, card, status: 'open' }, refusal: 'Your card was declined.' }
    case undefined:
      return { payment, refusal: 'Your card number is incorrect.' }
  }
}

export function refundedCents({ refunds }: SandboxPayment): number {
  return refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, refund) => sum + refund.amountCents, 0)
}
