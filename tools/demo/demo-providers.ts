import { randomBytes, randomUUID } from 'node:crypto'
import { addSandboxObject, findSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import {
  makePaypalId,
  sumRefundedCents as refundedOfOrder,
  type SandboxOrder,
} from '#sandbox/paypal/order.ts'
import { ORDER_COLLECTION, ORDERS_BY_CAPTURE } from '#sandbox/paypal/world.ts'
import { type SandboxPayment, sumRefundedCents } from '#sandbox/stripe/payment.ts'
import { paymentKeyFromId, resourceIdsOf } from '#sandbox/stripe/resources.ts'
import { PAYMENT_COLLECTION } from '#sandbox/stripe/world.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CheckoutState, PaymentProvider, PaymentProviders } from '#server/ports/payment-provider.ts'

type World = { readonly db: Db; readonly now: Clock }

/** The demo practice's accounts at the sandboxes of the payment providers. */
export const DEMO_ACCOUNTS = { stripe: 'acct_demo', paypal: 'DEMQPRACTJCE2', paypalApp: 'demo-app' } as const

/** A Stripe test card whose payments succeed. Source: https://docs.stripe.com/testing */
const WORKING_CARD = '4242424242424242'
const CHECKOUT_S = 30 * 60

/**
 * Payment providers at which every customer of the demo's past paid at once. The payments are stored where the sandboxes store
 * theirs, so that the owner can refund them later. The sandboxes themselves do not accept checkouts of last month.
 */
export function buildDemoProviders(world: World): PaymentProviders {
  return { stripe: buildStripe(world), paypal: buildPaypal(world) }
}

function buildStripe({ db, now }: World): PaymentProvider {
  const find = async (id: string): Promise<SandboxPayment> => {
    const payment = await findSandboxObject(db, PAYMENT_COLLECTION, paymentKeyFromId(id))
    if (payment === null) throw new Error(`there is no payment ${id}`)
    return payment
  }
  const findCheckout = async (_account: unknown, id: string) => toPaid(await find(id))
  return {
    ...NEVER_ASKED,
    createCheckout: async (request) => {
      const createdS = Math.floor(now() / 1_000)
      const payment: SandboxPayment = {
        key: randomBytes(12).toString('hex'),
        accountId: request.account.accountId,
        createdS,
        expiresAtS: createdS + CHECKOUT_S,
        amountCents: request.amountCents,
        currency: request.currency,
        description: request.description,
        customerEmail: request.customerEmail,
        clientReferenceId: request.transactionId,
        metadata: {},
        successUrl: request.successUrl,
        cancelUrl: request.cancelUrl,
        status: 'paid',
        card: WORKING_CARD,
        refunds: [],
        hasRefusedRefund: false,
      }
      await addSandboxObject(db, PAYMENT_COLLECTION, payment.key, payment)
      return { id: resourceIdsOf(payment).session, url: request.successUrl }
    },
    findCheckout,
    endCheckout: findCheckout,
    refund: async ({ paymentId, amountCents, transactionId }) => {
      const payment = await find(paymentId)
      const number = payment.refunds.length + 1
      const createdS = Math.floor(now() / 1_000)
      const refund = {
        number,
        amountCents,
        createdS,
        status: 'succeeded',
        metadata: { transactionId },
      } as const
      await saveSandboxObject(db, PAYMENT_COLLECTION, payment.key, {
        ...payment,
        refunds: [...payment.refunds, refund],
      })
      return { refundId: `re_${payment.key}_${number}`, status: 'refunded' }
    },
  }
}

function toPaid(payment: SandboxPayment): CheckoutState {
  const { amountCents, currency, accountId } = payment
  return {
    status: 'paid',
    paymentId: resourceIdsOf(payment).intent,
    amountCents,
    currency,
    accountId,
    refundedCents: sumRefundedCents(payment),
    hasFailedRefund: false,
  }
}

function buildPaypal({ db, now }: World): PaymentProvider {
  const find = async (id: string): Promise<SandboxOrder> => {
    const order = await findSandboxObject(db, ORDER_COLLECTION, id)
    if (order === null) throw new Error(`there is no order ${id}`)
    return order
  }
  const findCheckout = async (_account: unknown, id: string) => toCaptured(await find(id))
  return {
    ...NEVER_ASKED,
    createCheckout: async (request) => {
      const order: SandboxOrder = {
        id: makePaypalId(),
        clientId: request.account.app?.clientId ?? DEMO_ACCOUNTS.paypalApp,
        createdMs: now(),
        updatedMs: now(),
        status: 'COMPLETED',
        amountCents: request.amountCents,
        currency: request.currency,
        description: request.description,
        merchantId: request.account.accountId,
        referenceId: request.transactionId,
        customId: request.appointmentId,
        invoiceId: request.transactionId,
        customerEmail: request.customerEmail,
        returnUrl: request.successUrl,
        cancelUrl: request.cancelUrl,
        instrument: 'balance',
        capture: { id: makePaypalId(), requestId: randomUUID(), status: 'COMPLETED', createdMs: now() },
        refunds: [],
        hasRefusedRefund: false,
      }
      await addSandboxObject(db, ORDER_COLLECTION, order.id, order)
      await addSandboxObject(db, ORDERS_BY_CAPTURE, order.capture?.id ?? '', { orderId: order.id })
      return { id: order.id, url: request.successUrl }
    },
    findCheckout,
    endCheckout: findCheckout,
    refund: async ({ paymentId, amountCents, transactionId }) => {
      const capture = await findSandboxObject(db, ORDERS_BY_CAPTURE, paymentId)
      const order = await find(capture?.orderId ?? '')
      const refund = {
        id: makePaypalId(),
        requestId: transactionId,
        amountCents,
        customId: transactionId,
        status: 'COMPLETED',
        createdMs: now(),
      } as const
      await saveSandboxObject(db, ORDER_COLLECTION, order.id, {
        ...order,
        refunds: [...order.refunds, refund],
      })
      return { refundId: refund.id, status: 'refunded' }
    },
  }
}

function toCaptured(order: SandboxOrder): CheckoutState {
  return {
    status: 'paid',
    paymentId: order.capture?.id ?? '',
    amountCents: order.amountCents,
    currency: order.currency,
    accountId: order.merchantId,
    refundedCents: refundedOfOrder(order),
    hasFailedRefund: false,
  }
}

async function refuse(): Promise<never> {
  throw new Error('the demo data asks for nothing else')
}

const NEVER_ASKED = {
  isSandbox: () => true,
  buildConnectUrl: () => '',
  connect: refuse,
  addWebhook: null,
  disconnect: async () => {},
  captureCheckout: refuse,
  peekWebhook: null,
  readWebhook: refuse,
} as const satisfies Partial<PaymentProvider>
