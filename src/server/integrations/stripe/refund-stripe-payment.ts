import Stripe from 'stripe'
import {
  PaymentProviderError,
  type PaymentProviderRefund,
  type ProviderRefundRequest,
} from '#server/ports/payment-provider.ts'
import { isFailedRefund } from './checkout-state.ts'

/** Maximum number of earlier refusals that are skipped. Each was triggered by a person, so there are few. */
const PAST_REFUSALS = 20

/**
 * Refunds a payment once. Stripe forgets idempotency keys after a day, so existing refunds are looked up first, whether
 * made by us or by the owner in the dashboard. After a failed refund another one is allowed.
 * @throws PaymentProviderError `refused` when Stripe rejected it, with Stripe's message
 */
export async function refundStripePayment(
  stripe: Stripe,
  request: ProviderRefundRequest,
): Promise<PaymentProviderRefund> {
  const onAccount = { stripeAccount: request.account.accountId }
  const payment = { payment_intent: request.paymentId }
  const { data: refunds } = await stripe.refunds.list({ ...payment, limit: 100 }, onAccount)
  const standing = refunds.filter((refund) => !isFailedRefund(refund))
  const [latest] = standing
  const leftCents = request.amountCents - sum(standing)
  if (latest !== undefined && leftCents <= 0) return toProviderRefund(latest)

  const params = {
    ...payment,
    amount: leftCents,
    metadata: { transaction_id: request.transactionId },
  }
  for (let attempt = refunds.length - standing.length; ; attempt += 1) {
    // The key includes the amount: a partial refund can happen in between, and Stripe rejects a different request with
    // the same key.
    const idempotencyKey = `refund-${request.transactionId}-${leftCents}${attempt === 0 ? '' : `-${attempt}`}`
    try {
      return toProviderRefund(await stripe.refunds.create(params, { ...onAccount, idempotencyKey }))
    } catch (error) {
      if (attempt >= PAST_REFUSALS || !isPastRefusal(error)) throw error
    }
  }
}

/** True when Stripe repeats an earlier refusal. It does so for a day, even after the balance has become sufficient. */
function isPastRefusal(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.headers?.['idempotent-replayed'] === 'true'
  )
}

function sum(refunds: readonly Stripe.Refund[]): number {
  return refunds.reduce((cents, refund) => cents + refund.amount, 0)
}

function toProviderRefund(refund: Stripe.Refund): PaymentProviderRefund {
  if (isFailedRefund(refund)) {
    throw new PaymentProviderError(
      'refused',
      `Stripe could not return the money: ${refund.failure_reason ?? refund.status}.`,
    )
  }
  return { refundId: refund.id, status: refund.status === 'succeeded' ? 'refunded' : 'pending' }
}
