import { randomInt } from 'node:crypto'
import { z } from 'zod'

const refund = z.object({
  id: z.string(),
  /** The PayPal-Request-Id; null for a refund from the dashboard. */
  requestId: z.string().nullable(),
  amountCents: z.int(),
  customId: z.string().nullable(),
  status: z.enum(['COMPLETED', 'PENDING', 'FAILED']),
  createdMs: z.int(),
})
export type SandboxRefund = z.infer<typeof refund>

/** The customer's ways to pay, each with its outcome. */
export const PAYMENT_INSTRUMENTS = {
  balance: 'PayPal balance',
  declined: 'A card that is declined when the money is taken',
  review: 'A payment that PayPal looks at first',
  refund_pending: 'PayPal balance; a refund stays on its way',
  refund_failed: 'PayPal balance; a refund fails afterwards',
} as const
export type PaymentInstrument = keyof typeof PAYMENT_INSTRUMENTS
// The assertion is needed because `Object.keys` returns plain strings.
const INSTRUMENT_NAMES = Object.keys(PAYMENT_INSTRUMENTS) as [PaymentInstrument, ...PaymentInstrument[]]
export const paymentInstrumentSchema = z.enum(INSTRUMENT_NAMES)

/** An order with its capture and refunds. */
export const sandboxOrderSchema = z.object({
  id: z.string(),
  /** The app that created the order. Other apps cannot read it. */
  clientId: z.string(),
  createdMs: z.int(),
  updatedMs: z.int(),
  status: z.enum(['PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED']),
  amountCents: z.int(),
  currency: z.string(),
  description: z.string(),
  merchantId: z.string(),
  referenceId: z.string(),
  customId: z.string(),
  invoiceId: z.string(),
  customerEmail: z.string(),
  returnUrl: z.string(),
  cancelUrl: z.string(),
  instrument: paymentInstrumentSchema.nullable(),
  capture: z
    .object({
      id: z.string(),
      requestId: z.string(),
      status: z.enum(['COMPLETED', 'PENDING', 'DECLINED']),
      createdMs: z.int(),
    })
    .nullable(),
  refunds: z.array(refund),
  /** True when a refund was already refused because the customer's email address requested it. */
  hasRefusedRefund: z.boolean(),
})
export type SandboxOrder = z.infer<typeof sandboxOrderSchema>

/** The characters of ids. None of them look alike. */
export const PAYPAL_ID_CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Generates an id like PayPal's: 17 characters for orders, captures and refunds. */
export function makePaypalId(length = 17): string {
  return Array.from({ length }, () => PAYPAL_ID_CHARACTERS[randomInt(PAYPAL_ID_CHARACTERS.length)]).join('')
}

export function sumRefundedCents({ refunds }: SandboxOrder): number {
  return refunds
    .filter(({ status }) => status !== 'FAILED')
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
}

/** Returns the capture's status, taking refunds into account; null before the capture. */
export function captureStatusOf(order: SandboxOrder) {
  const backCents = sumRefundedCents(order)
  if (backCents === 0 || order.capture === null) return order.capture?.status ?? null
  return backCents < order.amountCents ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
}
