import type Stripe from 'stripe'
import type { CheckoutState } from '#server/ports/payment-provider.ts'

/** These must be requested with a session, because Stripe leaves them out or gives only their ids. */
export const CHECKOUT_EXPANSION = ['payment_intent.latest_charge.refunds']

/**
 * The state of a session of this account, read with CHECKOUT_EXPANSION. The received amount counts, not the requested
 * one.
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
      hasFailedRefund: (charge?.refunds?.data ?? []).some(isFailed),
    }
  }
  if (session.status === 'expired') return { status: 'ended' }
  if (intent?.status === 'processing' || intent?.status === 'requires_action') return { status: 'processing' }
  // A session is complete once the customer is through. A bank that refuses afterwards ends it for good.
  return { status: session.status === 'open' ? 'open' : 'ended' }
}

/** Its money did not reach the customer. */
export function isFailed({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled'
}
