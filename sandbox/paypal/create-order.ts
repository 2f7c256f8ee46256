import { z } from 'zod'
import { addSandboxObject, findSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { paypalMoneySchema, toCents } from '#server/integrations/paypal/paypal-money.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { failIfRequested, notFoundError, PaypalErrorResponse } from './fault.ts'
import { makePaypalId, type SandboxOrder } from './order.ts'
import { ORDER_COLLECTION, ORDERS_BY_REQUEST_ID, type PaypalSandboxContext } from './world.ts'

const webUrl = z.url({ protocol: /^https?$/ })
const reference = z.string().min(1).max(127)

/** The body of a new order. The sandbox refuses fields that are not in this schema. */
const orderBody = z.strictObject({
  intent: z.literal('CAPTURE'),
  purchase_units: z.tuple([
    z.strictObject({
      reference_id: reference,
      custom_id: reference,
      invoice_id: reference,
      description: reference,
      amount: paypalMoneySchema.strict(),
      payee: z.strictObject({ merchant_id: z.string().regex(/^[2-9A-HJ-NP-Z]{13}$/) }),
    }),
  ]),
  payment_source: z.strictObject({
    paypal: z.strictObject({
      email_address: z.email().max(254),
      experience_context: z.strictObject({
        return_url: webUrl,
        cancel_url: webUrl,
        user_action: z.literal('PAY_NOW'),
        shipping_preference: z.literal('NO_SHIPPING'),
        payment_method_preference: z.literal('IMMEDIATE_PAYMENT_REQUIRED'),
      }),
    }),
  }),
})

type Asked = { readonly clientId: string; readonly requestId: string; readonly body: unknown }

/**
 * Creates one order per PayPal-Request-Id. A concurrent request with the same id waits for the first.
 * @throws PaypalErrorResponse
 */
export async function createOrder(
  world: PaypalSandboxContext,
  { clientId, requestId, body }: Asked,
): Promise<{ order: SandboxOrder; isNew: boolean }> {
  const asked = parseRequestBody(orderBody, body)
  failIfRequested(asked.payment_source.paypal.email_address, 'create')
  const orderId = makePaypalId()
  const key = `${clientId}/${requestId}`
  return inTransaction(world.db, async (trx) => {
    if (!(await addSandboxObject(trx, ORDERS_BY_REQUEST_ID, key, { orderId }))) {
      const made = await findSandboxObject(trx, ORDERS_BY_REQUEST_ID, key)
      const order = made === null ? null : await findSandboxObject(trx, ORDER_COLLECTION, made.orderId)
      if (order === null) throw notFoundError()
      return { order, isNew: false }
    }
    const order = toNewOrder(orderId, clientId, asked, world.now())
    await addSandboxObject(trx, ORDER_COLLECTION, orderId, order)
    return { order, isNew: true }
  })
}

function toNewOrder(
  id: string,
  clientId: string,
  { purchase_units: [unit], payment_source: { paypal } }: z.infer<typeof orderBody>,
  nowMs: number,
): SandboxOrder {
  return {
    id,
    clientId,
    createdMs: nowMs,
    updatedMs: nowMs,
    status: 'PAYER_ACTION_REQUIRED',
    amountCents: toCents(unit.amount),
    currency: unit.amount.currency_code.toLowerCase(),
    description: unit.description,
    merchantId: unit.payee.merchant_id,
    referenceId: unit.reference_id,
    customId: unit.custom_id,
    invoiceId: unit.invoice_id,
    customerEmail: paypal.email_address,
    returnUrl: paypal.experience_context.return_url,
    cancelUrl: paypal.experience_context.cancel_url,
    instrument: null,
    capture: null,
    refunds: [],
    hasRefusedRefund: false,
  }
}

/** @throws PaypalErrorResponse that names the first invalid field */
export function parseRequestBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const { data, error } = schema.safeParse(body)
  if (error === undefined) return data
  const [issue] = error.issues
  const field = `/${(issue?.path ?? []).map(String).join('/')}`
  const description = issue?.message ?? 'The value of a field is not valid.'
  throw new PaypalErrorResponse(400, 'INVALID_REQUEST', [
    { issue: 'INVALID_PARAMETER_SYNTAX', description, field },
  ])
}
