import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { isPaymentOpen, type SandboxPayment, type SandboxRefund, sumRefundedCents } from './payment.ts'
import type { PendingEvent } from './world.ts'

export const resourceIdsOf = ({ key }: { readonly key: string }) => ({
  session: `cs_test_${key}`,
  intent: `pi_${key}`,
  charge: `ch_${key}`,
})

/** Extracts the common part of a payment's ids. */
export function paymentKeyFromId(id: string): string {
  return id.replace(/^(cs_test|pi)_/, '')
}

/** Builds a session. `origin` is the origin of its page. `isExpanded`: includes the payment and its charge. */
export function toCheckoutSessionResource(
  payment: SandboxPayment,
  { origin, isExpanded }: { readonly origin: string; readonly isExpanded: boolean },
) {
  const wasTried = payment.card !== null
  const intent = isExpanded ? toPaymentIntentResource(payment) : resourceIdsOf(payment).intent
  return {
    id: resourceIdsOf(payment).session,
    object: 'checkout.session',
    amount_total: payment.amountCents,
    client_reference_id: payment.clientReferenceId,
    created: payment.createdS,
    currency: payment.currency,
    customer_email: payment.customerEmail,
    expires_at: payment.expiresAtS,
    livemode: false,
    metadata: payment.metadata,
    mode: 'payment',
    // Stripe creates the payment when the customer pays.
    payment_intent: wasTried ? intent : null,
    payment_status: payment.status === 'paid' ? 'paid' : 'unpaid',
    status: isPaymentOpen(payment) ? 'open' : payment.status === 'expired' ? 'expired' : 'complete',
    url: isPaymentOpen(payment) ? `${origin}/c/pay/${resourceIdsOf(payment).session}` : null,
  } satisfies Partial<Omit<Stripe.Checkout.Session, 'payment_intent'>> & { readonly payment_intent: unknown }
}

const INTENT_STATUS = {
  open: 'requires_payment_method',
  requires_action: 'requires_action',
  processing: 'processing',
  paid: 'succeeded',
  failed: 'requires_payment_method',
  expired: 'canceled',
} as const satisfies Record<SandboxPayment['status'], Stripe.PaymentIntent.Status>

/** Builds a payment with its charge. */
export function toPaymentIntentResource(payment: SandboxPayment) {
  const isPaid = payment.status === 'paid'
  return {
    id: resourceIdsOf(payment).intent,
    object: 'payment_intent',
    amount: payment.amountCents,
    amount_received: isPaid ? payment.amountCents : 0,
    created: payment.createdS,
    currency: payment.currency,
    description: payment.description,
    latest_charge: isPaid ? toChargeResource(payment) : null,
    livemode: false,
    metadata: payment.metadata,
    status: INTENT_STATUS[payment.status],
  } satisfies Partial<Omit<Stripe.PaymentIntent, 'latest_charge'>> & { readonly latest_charge: unknown }
}

/** Builds the charge of a paid payment. */
export function toChargeResource(payment: SandboxPayment) {
  const { charge, intent } = resourceIdsOf(payment)
  return {
    id: charge,
    object: 'charge',
    amount: payment.amountCents,
    amount_refunded: sumRefundedCents(payment),
    created: payment.createdS,
    currency: payment.currency,
    description: payment.description,
    livemode: false,
    metadata: payment.metadata,
    payment_intent: intent,
    refunded: sumRefundedCents(payment) >= payment.amountCents,
    refunds: toListResource(
      payment.refunds.map((refund) => toRefundResource(payment, refund)),
      `/v1/charges/${charge}/refunds`,
    ),
  } satisfies Partial<Omit<Stripe.Charge, 'refunds'>> & { readonly refunds: unknown }
}

export function toRefundResource(payment: SandboxPayment, refund: SandboxRefund) {
  const { charge, intent } = resourceIdsOf(payment)
  return {
    id: `re_${payment.key}_${refund.number}`,
    object: 'refund',
    amount: refund.amountCents,
    charge,
    created: refund.createdS,
    currency: payment.currency,
    ...(refund.status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
    metadata: refund.metadata,
    payment_intent: intent,
    status: refund.status,
  } satisfies Partial<Stripe.Refund>
}

export function toListResource<Resource>(resources: Resource[], url: string): Stripe.ApiList<Resource> {
  return { object: 'list', data: resources, has_more: false, url }
}

/** Builds an event about a connected account. */
export function toEventResource({ type, accountId, object }: PendingEvent, createdS: number) {
  return {
    id: `evt_${randomBytes(12).toString('hex')}`,
    object: 'event',
    account: accountId,
    api_version: null,
    created: createdS,
    data: { object },
    livemode: false,
    type,
  } as const
}
