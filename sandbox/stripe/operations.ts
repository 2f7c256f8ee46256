import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { addSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { failIfRequested, findRequestedFailure, invalidRequestError, noSuchResourceError } from './fault.ts'
import { isPaymentOpen, type SandboxPayment } from './payment.ts'
import { refundPayment } from './refund-payment.ts'
import { paymentKeyFromId, toCheckoutSessionResource } from './resources.ts'
import {
  findPayment,
  nowSeconds,
  PAYMENT_COLLECTION,
  type PendingEvent,
  type StripeSandboxContext,
} from './world.ts'

/** An API operation with an effect. `body` is the response. @throws StripeErrorResponse */
export type StripeOperation = (
  world: StripeSandboxContext,
  asked: {
    readonly trx: Trx
    readonly accountId: string
    readonly id: string
    readonly origin: string
    readonly body: unknown
  },
) => Promise<{
  readonly payment: SandboxPayment
  readonly body: object
  readonly events: readonly PendingEvent[]
}>

const wholeNumber = z.coerce.number().int().min(0).max(99_999_999)
const metadata = z.record(z.string().max(40), z.string().max(500))
const webUrl = z.string().regex(/^https?:\/\//, 'Not a valid URL')

const priceData = z.strictObject({
  currency: z.string().regex(/^[a-z]{3}$/),
  unit_amount: wholeNumber,
  product_data: z.strictObject({ name: z.string().min(1).max(250) }),
})

/** The body of a new session. The sandbox refuses parameters that are not in this schema. */
const sessionBody = z.strictObject({
  mode: z.literal('payment'),
  line_items: z.strictObject({
    0: z.strictObject({
      quantity: z.literal('1'),
      price: z.string().optional(),
      price_data: priceData.optional(),
    }),
  }),
  client_reference_id: z.string().max(200),
  customer_email: z.email(),
  metadata,
  payment_intent_data: z.strictObject({ metadata, description: z.string().max(1_000) }),
  adaptive_pricing: z.strictObject({ enabled: z.literal('false') }),
  expires_at: z.coerce.number().int(),
  success_url: webUrl,
  cancel_url: webUrl,
})

/** Minimum and maximum lifetime of a session, in seconds. Source: https://docs.stripe.com/api/checkout/sessions/create */
const SHORTEST_LIFETIME_S = 30 * 60
const LONGEST_LIFETIME_S = 24 * 60 * 60
/** Stripe's minimum amount for payments in euros, in cents. */
const SMALLEST_AMOUNT_CENTS = 50

export const createSession: StripeOperation = async (world, { trx, accountId, origin, body }) => {
  const asked = parseBody(sessionBody, body)
  const createdS = nowSeconds(world)
  failIfRequested(asked.customer_email, 'create')
  const { price, price_data } = asked.line_items[0]
  const cost = price_data === undefined ? priceKeptAtStripe(price ?? '') : price_data
  if (cost.unit_amount < SMALLEST_AMOUNT_CENTS) {
    const message = 'The Checkout Session’s total amount due must add up to at least 0.50.'
    throw invalidRequestError(message, { code: 'amount_too_small' })
  }
  const lifetimeS = asked.expires_at - createdS
  if (lifetimeS < SHORTEST_LIFETIME_S || lifetimeS > LONGEST_LIFETIME_S) {
    const message =
      'The `expires_at` timestamp must be 30 minutes to 24 hours from Checkout Session creation.'
    throw invalidRequestError(message, { param: 'expires_at' })
  }
  const payment: SandboxPayment = {
    key: randomBytes(12).toString('hex'),
    accountId,
    createdS,
    expiresAtS: asked.expires_at,
    amountCents: cost.unit_amount,
    currency: cost.currency,
    description: asked.payment_intent_data.description,
    customerEmail: asked.customer_email,
    clientReferenceId: asked.client_reference_id,
    metadata: asked.metadata,
    successUrl: asked.success_url,
    cancelUrl: asked.cancel_url,
    status: 'open',
    card: null,
    refunds: [],
    hasRefusedRefund: false,
  }
  await addSandboxObject(trx, PAYMENT_COLLECTION, payment.key, payment)
  return { payment, body: toCheckoutSessionResource(payment, { origin, isExpanded: false }), events: [] }
}

/** Returns the price of a price id that ends in its amount in cents: `price_consultation_4000`. */
function priceKeptAtStripe(id: string): { readonly currency: string; readonly unit_amount: number } {
  const [, cents] = /^price_\w*?(\d{1,8})$/.exec(id) ?? []
  if (cents === undefined) {
    throw invalidRequestError(`No such price: '${id}'`, {
      code: 'resource_missing',
      param: 'line_items[0][price]',
    })
  }
  return { currency: 'eur', unit_amount: Number(cents) }
}

export const expireSession: StripeOperation = async (world, { trx, accountId, id, origin }) => {
  const payment = await findPayment(world, trx, paymentKeyFromId(id), { lock: true })
  if (payment?.accountId !== accountId) throw noSuchResourceError('checkout.session', id)
  failIfRequested(payment.customerEmail, 'read')
  if (!isPaymentOpen(payment)) {
    throw invalidRequestError('Only Checkout Sessions with a status in ["open"] can be expired.')
  }
  const expired: SandboxPayment = { ...payment, status: 'expired' }
  await saveSandboxObject(trx, PAYMENT_COLLECTION, payment.key, expired)
  const session = toCheckoutSessionResource(expired, { origin, isExpanded: false })
  const events = [{ type: 'checkout.session.expired', accountId, object: session } as const]
  return { payment: expired, body: toCheckoutSessionResource(expired, { origin, isExpanded: true }), events }
}

const refundBody = z.strictObject({ payment_intent: z.string(), amount: wholeNumber, metadata })

export const createRefund: StripeOperation = async (world, { trx, accountId, body }) => {
  const asked = parseBody(refundBody, body)
  const payment = await findPayment(world, trx, paymentKeyFromId(asked.payment_intent), { lock: true })
  if (payment?.accountId !== accountId) throw noSuchResourceError('payment_intent', asked.payment_intent)
  failIfRequested(payment.customerEmail, 'refund')
  if (findRequestedFailure(payment.customerEmail, 'refund') === 'refused' && !payment.hasRefusedRefund) {
    await saveSandboxObject(trx, PAYMENT_COLLECTION, payment.key, { ...payment, hasRefusedRefund: true })
    const message = 'Insufficient funds in your Stripe balance to refund this amount.'
    throw invalidRequestError(message, { code: 'balance_insufficient' })
  }
  return refundPayment(world, trx, payment, { amountCents: asked.amount, metadata: asked.metadata })
}

/** @throws StripeErrorResponse that names the first invalid parameter */
function parseBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const { data, error } = schema.safeParse(body)
  if (error === undefined) return data
  const [issue] = error.issues
  const [first = '', ...rest] = issue?.path.map(String) ?? []
  const param = `${first}${rest.map((name) => `[${name}]`).join('')}`
  throw invalidRequestError(`${issue?.message ?? 'Invalid request'}: ${param}`, { param })
}
