import { randomBytes } from 'node:crypto'
import { toPaypalMoney } from '#server/integrations/paypal/paypal-money.ts'
import { captureStatusOf, type SandboxOrder, type SandboxRefund } from './order.ts'

/** Base URL of the links in responses. The adapter follows only the link to the approval page. */
const API = 'https://api-m.sandbox.paypal.com'

/** Converts an order to the format of `return=representation`. `origin` is the sandbox's origin. */
export function toOrderResource(order: SandboxOrder, origin: string) {
  const { capture } = order
  return {
    id: order.id,
    intent: 'CAPTURE',
    status: order.status,
    create_time: toPaypalTime(order.createdMs),
    update_time: toPaypalTime(order.updatedMs),
    payment_source: { paypal: { email_address: order.customerEmail } },
    purchase_units: [
      {
        reference_id: order.referenceId,
        custom_id: order.customId,
        invoice_id: order.invoiceId,
        description: order.description,
        amount: moneyOf(order, order.amountCents),
        payee: { merchant_id: order.merchantId },
        ...(capture === null
          ? {}
          : {
              payments: {
                captures: [toOrderCapture(order, capture)],
                refunds: order.refunds.map((refund) => toRefundResource(order, refund)),
              },
            }),
      },
    ],
    links: [
      link('self', 'GET', `/v2/checkout/orders/${order.id}`),
      { href: `${origin}/checkoutnow?token=${order.id}`, rel: 'payer-action', method: 'GET' },
    ],
  }
}

type Capture = NonNullable<SandboxOrder['capture']>

function toOrderCapture(order: SandboxOrder, { id, createdMs, status }: Capture) {
  return {
    id,
    status: captureStatusOf(order) ?? status,
    ...(status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    amount: moneyOf(order, order.amountCents),
    final_capture: true,
    custom_id: order.customId,
    invoice_id: order.invoiceId,
    create_time: toPaypalTime(createdMs),
    update_time: toPaypalTime(order.updatedMs),
    links: [
      link('self', 'GET', `/v2/payments/captures/${id}`),
      link('refund', 'POST', `/v2/payments/captures/${id}/refund`),
      link('up', 'GET', `/v2/checkout/orders/${order.id}`),
    ],
  }
}

/** Converts a capture to the format of its own responses and of events. */
export function toCaptureResource(order: SandboxOrder, capture: Capture) {
  return {
    ...toOrderCapture(order, capture),
    payee: { merchant_id: order.merchantId },
    supplementary_data: { related_ids: { order_id: order.id } },
  }
}

export function toRefundResource(order: SandboxOrder, refund: SandboxRefund) {
  const captureId = order.capture?.id ?? ''
  return {
    id: refund.id,
    status: refund.status,
    amount: moneyOf(order, refund.amountCents),
    invoice_id: order.invoiceId,
    ...(refund.customId === null ? {} : { custom_id: refund.customId }),
    create_time: toPaypalTime(refund.createdMs),
    update_time: toPaypalTime(refund.createdMs),
    links: [
      link('self', 'GET', `/v2/payments/refunds/${refund.id}`),
      link('up', 'GET', `/v2/payments/captures/${captureId}`),
    ],
  }
}

export function toEventResource(type: string, resource: object, nowMs: number) {
  return {
    id: `WH-${randomBytes(12).toString('hex').toUpperCase()}`,
    event_version: '1.0',
    create_time: toPaypalTime(nowMs),
    resource_type: type.startsWith('CHECKOUT.ORDER') ? 'checkout-order' : 'capture',
    resource_version: '2.0',
    event_type: type,
    resource,
    links: [],
  }
}

export function toPaypalTime(ms: number): string {
  return new Date(ms).toISOString()
}

function moneyOf({ currency }: SandboxOrder, cents: number) {
  return toPaypalMoney(cents, currency)
}

function link(rel: string, method: string, path: string) {
  return { href: `${API}${path}`, rel, method }
}
