import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { BLANK_CHARGE, BLANK_INTENT, BLANK_SESSION } from './blank-resources.ts'
import { isOpen, refundedCents, type SandboxPayment, type SandboxRefund } from './payment.ts'
import type { Happening } from './world.ts'

export const idsOf = ({ key }: { readonly key: string }) => ({
  session: `cs_test_${key}`,
  intent: `pi_${key}`,
  charge: `ch_${key}`,
})

/** The part that the ids of a payment have in common. */
export function keyIn(id: string): string {
  return id.replace(/^(cs_test|pi)_/, '')
}

/** A session as Stripe shows it. `origin` is where its page is; `isExpanded`: with the payment and the charge in it. */
export function toSession(
  payment: SandboxPayment,
  { origin, isExpanded }: { readonly origin: string; readonly isExpanded: boolean },
): Stripe.Checkout.Session {
  const wasTried = payment.card !== null
  const intent = isExpanded ? toPaymentIntent(payment) : idsOf(payment).intent
  const status = isOpen(payment) ? 'open' : payment.status === 'expired' ? 'expired' : 'complete'
  return {
    ...BLANK_SESSION,
    id: idsOf(payment).session,
    amount_subtotal: payment.amountCents,
    amount_total: payment.amountCents,
    cancel_url: payment.cancelUrl,
    client_reference_id: payment.clientReferenceId,
    created: payment.createdS,
    currency: payment.currency,
    customer_details: {
      address: null,
      business_name: null,
      email: payment.customerEmail,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: null,
    },
    customer_email: payment.customerEmail,
    expires_at: payment.expiresAtS,
    metadata: payment.metadata,
    // Stripe makes it when the customer pays.
    payment_intent: wasTried ? intent : null,
    payment_status: payment.status === 'paid' ? 'paid' : 'unpaid',
    status,
    success_url: payment.successUrl,
    url: isOpen(payment) ? `${origin}/c/pay/${idsOf(payment).session}` : null,
  }
}

const INTENT_STATUS = {
  open: 'requires_payment_method',
  requires_action: 'requires_action',
  processing: 'processing',
  paid: 'succeeded',
  failed: 'requires_payment_method',
  expired: 'canceled',
} as const satisfies Record<SandboxPayment['status'], Stripe.PaymentIntent.Status>

/** The payment with its charge in it. */
export function toPaymentIntent(payment: SandboxPayment): Stripe.PaymentIntent {
  const isPaid = payment.status === 'paid'
  return {
    ...BLANK_INTENT,
    id: idsOf(payment).intent,
    amount: payment.amountCents,
    amount_received: isPaid ? payment.amountCents : 0,
    client_secret: `${idsOf(payment).intent}_secret_sandbox`,
    created: payment.createdS,
    currency: payment.currency,
    description: payment.description,
    latest_charge: isPaid ? toCharge(payment) : null,
    metadata: payment.metadata,
    status: INTENT_STATUS[payment.status],
  }
}

/** The charge of a payment that was paid. */
export function toCharge(payment: SandboxPayment): Stripe.Charge {
  const { charge, intent } = idsOf(payment)
  return {
    ...BLANK_CHARGE,
    id: charge,
    amount: payment.amountCents,
    amount_captured: payment.amountCents,
    amount_refunded: refundedCents(payment),
    billing_details: {
      address: null,
      email: payment.customerEmail,
      name: null,
      phone: null,
      tax_id: null,
    },
    created: payment.createdS,
    currency: payment.currency,
    description: payment.description,
    metadata: payment.metadata,
    payment_intent: intent,
    refunded: refundedCents(payment) >= payment.amountCents,
    refunds: toList(
      payment.refunds.map((refund) => toRefund(payment, refund)),
      `/v1/charges/${charge}/refunds`,
    ),
  }
}

export function toRefund(payment: SandboxPayment, refund: SandboxRefund): Stripe.Refund {
  const { charge, intent } = idsOf(payment)
  return {
    id: `re_${payment.key}_${refund.number}`,
    object: 'refund',
    amount: refund.amountCents,
    balance_transaction: null,
    charge,
    created: refund.createdS,
    currency: payment.currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    ...(refund.status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
    metadata: refund.metadata,
    payment_intent: intent,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  }
}

export function toList<Resource>(resources: Resource[], url: string): Stripe.ApiList<Resource> {
  return { object: 'list', data: resources, has_more: false, url }
}

/** An event about a connected account, or about the platform's own. */
export function toEvent({ type, accountId, object }: Happening, createdS: number) {
  return {
    id: `evt_${randomBytes(12).toString('hex')}`,
    object: 'event',
    ...(accountId === null ? {} : { account: accountId }),
    api_version: null,
    created: createdS,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  } as const
}
