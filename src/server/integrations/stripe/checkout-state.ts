import type Stripe from 'stripe'
import type { CheckoutState } from '#server/ports/payment-provider.ts'

/** The fields to expand in requests for a session, because Stripe otherwise omits them or returns only their ids. */
export const CHECKOUT_EXPANSION = ['payment_intent.latest_charge.refunds']

/**
 * Converts a session of an account, fetched with CHECKOUT_EXPANSION. Uses the received amount, not the requested one.
 */
export function toCheckoutState(session: Stripe.Checkout.Session, accountId: string): CheckoutState {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  if (session.payment_status === 'paid' && intent !== null) {
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
    return {
      status: 'paid',
      paymentId: intent.id,
      amountCents: intent.amount_received,
      currency: intent.currency,
      accountId,
      refundedCents: charge?.amount_refunded ?? 0,
      hasFailedRefund: (charge?.refunds?.data ?? []).some(isFailedRefund),
    }
  }
  if (session.status === 'expired') return { status: 'ended' }
  if (intent?.status === 'processing' || intent?.status === 'requires_action') return { status: 'processing' }
  // A session is `complete` once the customer has finished. Without a payment, the bank has declined afterwards, so the
  // checkout has ended.
  return { status: session.status === 'open' ? 'open' : 'ended' }
}

/** True for a refund whose money did not reach the customer. */
export function isFailedRefund({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled'
}
