import { z } from 'zod'
import type { CheckoutState } from '#server/ports/payment-provider.ts'
import { paypalMoneySchema, toCents } from './paypal-money.ts'

const paypalId = z.string().min(1).max(50)

const capture = z.object({ id: paypalId, status: z.string().max(50), amount: paypalMoneySchema })
const refund = z.object({ id: paypalId, status: z.string().max(50), amount: paypalMoneySchema })

/** The fields of an order that we use. Source: https://developer.paypal.com/docs/api/orders/v2/ */
export const paypalOrderSchema = z.object({
  id: paypalId,
  status: z.string().max(50),
  update_time: z.string().max(40).optional(),
  purchase_units: z
    .array(
      z.object({
        payee: z.object({ merchant_id: z.string().max(50).optional() }).optional(),
        payments: z
          .object({ captures: z.array(capture).default([]), refunds: z.array(refund).default([]) })
          .default({ captures: [], refunds: [] }),
      }),
    )
    .min(1),
  links: z.array(z.object({ rel: z.string(), href: z.string().max(2_000) })).default([]),
})
export type PaypalOrder = z.infer<typeof paypalOrderSchema>

export type PaypalRefund = z.infer<typeof refund>

/** Statuses of a payment that was received. It may have been refunded since. */
const RECEIVED = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'])

/** Converts an order to the state of its checkout. `accountId` is used when PayPal does not name the account. */
export function toCheckoutState(order: PaypalOrder, accountId: string): CheckoutState {
  const captures = order.purchase_units.flatMap(({ payments }) => payments.captures)
  const paid = captures.find(({ status }) => RECEIVED.has(status))
  if (paid !== undefined) {
    return {
      status: 'paid',
      paymentId: paid.id,
      amountCents: toCents(paid.amount),
      currency: paid.amount.currency_code.toLowerCase(),
      accountId: order.purchase_units[0]?.payee?.merchant_id ?? accountId,
      // No refund object exists for money that a bank took back (chargeback), so a REFUNDED payment counts as fully
      // refunded.
      refundedCents:
        paid.status === 'REFUNDED' ? toCents(paid.amount) : sumRefundCents(listEffectiveRefunds(order)),
      hasFailedRefund: listRefunds(order).some(isFailedRefund),
    }
  }
  if (captures.some(({ status }) => status === 'PENDING')) return { status: 'processing' }
  if (order.status === 'APPROVED') return { status: 'approved' }
  // An order is captured once, so a completed order without a payment was declined for good.
  return { status: order.status === 'VOIDED' || order.status === 'COMPLETED' ? 'ended' : 'open' }
}

/** Lists completed and pending refunds, however they were made. */
export function listEffectiveRefunds(order: PaypalOrder): PaypalRefund[] {
  return listRefunds(order).filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
}

/** True for a refund whose money did not reach the customer. */
export function isFailedRefund({ status }: Pick<PaypalRefund, 'status'>): boolean {
  return status === 'FAILED' || status === 'CANCELLED'
}

export function listRefunds(order: PaypalOrder): PaypalRefund[] {
  return order.purchase_units.flatMap(({ payments }) => payments.refunds)
}

/** Sums refunds, in cents. */
export function sumRefundCents(refunds: readonly PaypalRefund[]): number {
  return refunds.reduce((cents, { amount }) => cents + toCents(amount), 0)
}
