import { z } from 'zod'
import {
  PaymentProviderError,
  type PaymentProviderRefund,
  type ProviderRefundRequest,
} from '#server/ports/payment-provider.ts'
import {
  isFailedRefund,
  listEffectiveRefunds,
  listRefunds,
  type PaypalOrder,
  paypalOrderSchema,
  sumRefundCents,
} from './order-state.ts'
import { getPaypalApp, type PaypalClient } from './paypal-client.ts'
import { toPaypalMoney } from './paypal-money.ts'

const captureReply = z.object({
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().max(50) }) }),
})

const refundReply = z.object({ id: z.string().min(1).max(50), status: z.string().max(50) })

/**
 * Refunds a payment once. PayPal forgets request ids after 45 days, so existing refunds are looked up first, whether
 * made by us or by the owner at PayPal. After a failed refund another one is allowed.
 * @throws PaymentProviderError `refused` when PayPal rejected it, with PayPal's message
 */
export async function refundPaypalPayment(
  client: PaypalClient,
  request: ProviderRefundRequest,
): Promise<PaymentProviderRefund> {
  const order = await getOrderOfPayment(client, request)
  const standing = listEffectiveRefunds(order)
  const latest = standing.at(-1)
  const leftCents = request.amountCents - sumRefundCents(standing)
  if (latest !== undefined && leftCents <= 0) return toProviderRefund(latest)

  const failures = listRefunds(order).length - standing.length
  const made = await client.ask(getPaypalApp(request.account), {
    method: 'POST',
    path: `/v2/payments/captures/${encodeURIComponent(request.paymentId)}/refund`,
    // The id includes the amount: a partial refund can happen in between, and PayPal repeats its first response for a
    // known id.
    requestId: `refund-${request.transactionId}-${leftCents}${failures === 0 ? '' : `-${failures}`}`,
    body: JSON.stringify({
      amount: toPaypalMoney(leftCents, request.currency),
      custom_id: request.transactionId,
    }),
    reply: refundReply,
  })
  return toProviderRefund(made)
}

async function getOrderOfPayment(
  client: PaypalClient,
  { account, paymentId }: ProviderRefundRequest,
): Promise<PaypalOrder> {
  const { supplementary_data } = await client.ask(getPaypalApp(account), {
    method: 'GET',
    path: `/v2/payments/captures/${encodeURIComponent(paymentId)}`,
    reply: captureReply,
  })
  return client.ask(getPaypalApp(account), {
    method: 'GET',
    path: `/v2/checkout/orders/${encodeURIComponent(supplementary_data.related_ids.order_id)}`,
    reply: paypalOrderSchema,
  })
}

function toProviderRefund({
  id,
  status,
}: {
  readonly id: string
  readonly status: string
}): PaymentProviderRefund {
  if (isFailedRefund({ status })) {
    throw new PaymentProviderError('refused', 'PayPal could not return the money.')
  }
  return { refundId: id, status: status === 'COMPLETED' ? 'refunded' : 'pending' }
}
