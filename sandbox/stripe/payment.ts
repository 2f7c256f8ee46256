import { z } from 'zod'

const refund = z.object({
  number: z.int(),
  amountCents: z.int(),
  createdS: z.int(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  metadata: z.record(z.string(), z.string()),
})
export type SandboxRefund = z.infer<typeof refund>

/** A checkout. The API presents it as a session, a payment, a charge and refunds. */
export const sandboxPaymentSchema = z.object({
  /** The common part of the ids of these four resources. */
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
  /** The card of the last attempt; null before the first. */
  card: z.string().nullable(),
  refunds: z.array(refund),
  /** True when a refund was already refused because the customer's email address requested it. */
  hasRefusedRefund: z.boolean(),
})
export type SandboxPayment = z.infer<typeof sandboxPaymentSchema>

type CardOutcome = 'pays' | 'declined' | 'asks_bank' | 'takes_days'

/**
 * Stripe's test cards and a test bank account, with their outcomes.
 * Source: https://docs.stripe.com/testing
 */
export const TEST_CARDS: Readonly<
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

/** Returns the payment at an instant: open sessions expire. */
export function expireIfDue(payment: SandboxPayment, nowS: number): SandboxPayment {
  return isPaymentOpen(payment) && nowS >= payment.expiresAtS ? { ...payment, status: 'expired' } : payment
}

/** True while the customer can pay. */
export function isPaymentOpen({ status }: SandboxPayment): boolean {
  return status === 'open' || status === 'requires_action'
}

/** Returns the checkout after an attempt to pay. `refusal` is shown to the customer. */
export function decidePaymentAttempt(
  payment: SandboxPayment,
  typedCard: string,
): { readonly payment: SandboxPayment; readonly refusal: string | null } {
  const card = typedCard.replace(/\s/g, '').toUpperCase()
  switch (TEST_CARDS[card]?.outcome) {
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

export function sumRefundedCents({ refunds }: SandboxPayment): number {
  return refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, refund) => sum + refund.amountCents, 0)
}
