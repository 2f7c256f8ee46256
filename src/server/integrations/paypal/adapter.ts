import { truncateText } from '#core/shared/text.ts'
import {
  type CheckoutRequest,
  type CheckoutState,
  type PaymentAccount,
  type PaymentProvider,
  PaymentProviderError,
} from '#server/ports/payment-provider.ts'
import { buildConnectUrl, connectAccount, disconnectAccount, getWebhook } from './connect-account.ts'
import { type PaypalOrder, paypalOrderSchema, toCheckoutState } from './order-state.ts'
import { buildPaypalClient, getPaypalApp, type PaypalSettings } from './paypal-client.ts'
import { parsePaypalEvent, readPaypalEvent } from './paypal-event.ts'
import { toPaypalMoney } from './paypal-money.ts'
import { PaypalRefusal } from './paypal-refusal.ts'
import { refundPaypalPayment } from './refund-paypal-payment.ts'

/** PayPal errors after which the customer can choose another payment method on the same page. */
const RETRYABLE_BY_CUSTOMER = new Set([
  'INSTRUMENT_DECLINED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'PAYER_ACTION_REQUIRED',
])
/**
 * PayPal errors that mean that the order has changed: a concurrent request captured it, or the customer went back.
 * Fetch the order to find out which.
 */
const ORDER_CHANGED = new Set(['ORDER_ALREADY_CAPTURED', 'ORDER_NOT_APPROVED'])

/** PayPal adapter with each owner's own app: orders that we capture, refunds, and the app's webhooks. */
export function buildPaypalProvider(settings: PaypalSettings): PaymentProvider {
  const client = buildPaypalClient(settings)

  function getOrder(account: PaymentAccount, id: string): Promise<PaypalOrder> {
    const path = `/v2/checkout/orders/${encodeURIComponent(id)}`
    return client.ask(getPaypalApp(account), { method: 'GET', path, reply: paypalOrderSchema })
  }

  async function findCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState> {
    return toCheckoutState(await getOrder(account, checkoutId), account.accountId)
  }

  async function createCheckout(request: CheckoutRequest) {
    const order = await client.ask(getPaypalApp(request.account), {
      method: 'POST',
      path: '/v2/checkout/orders',
      requestId: request.transactionId,
      body: JSON.stringify(toOrderRequest(request)),
      reply: paypalOrderSchema.pick({ id: true, links: true }),
    })
    const page = order.links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')
    if (page === undefined)
      throw new PaymentProviderError('refused', 'PayPal made a checkout without a page.')
    return { id: order.id, url: page.href }
  }

  async function captureCheckout(account: PaymentAccount, checkoutId: string, transactionId: string) {
    const before = await getOrder(account, checkoutId)
    const state = toCheckoutState(before, account.accountId)
    if (state.status !== 'approved') return state
    try {
      const captured = await client.ask(getPaypalApp(account), {
        method: 'POST',
        path: `/v2/checkout/orders/${encodeURIComponent(checkoutId)}/capture`,
        // The id changes with each approval by the customer; otherwise PayPal would repeat its first response.
        requestId: ['capture', transactionId, before.update_time ?? ''].join('-'),
        body: '{}',
        reply: paypalOrderSchema,
      })
      return toCheckoutState(captured, account.accountId)
    } catch (error) {
      if (!(error instanceof PaypalRefusal)) throw error
      if (RETRYABLE_BY_CUSTOMER.has(error.issue)) return { status: 'open' } as const
      if (ORDER_CHANGED.has(error.issue)) return findCheckout(account, checkoutId)
      throw error
    }
  }

  return {
    isSandbox: (app) => settings.sandboxUrl !== undefined || app?.mode === 'sandbox',
    buildConnectUrl: (request) => buildConnectUrl(settings.sandboxUrl, request),
    connect: (request) => connectAccount(client, request),
    addWebhook: (app, webhookUrl) => getWebhook(client, app, webhookUrl),
    disconnect: (account) => disconnectAccount(client, account),
    createCheckout,
    findCheckout,
    // PayPal cannot end an order, so this only fetches its state. An order that is never captured takes no money.
    endCheckout: findCheckout,
    captureCheckout,
    refund: (request) => refundPaypalPayment(client, request),
    peekWebhook: (request) => parsePaypalEvent(settings.now, request),
    readWebhook: (request) => readPaypalEvent(client, settings.now, request),
  }
}

/** PayPal's maximum length of the description, in characters. */
const DESCRIPTION_LENGTH = 127

/** Builds the PayPal order of a checkout. Source: https://developer.paypal.com/docs/api/orders/v2/#orders_create */
function toOrderRequest(request: CheckoutRequest) {
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: request.appointmentId,
        custom_id: request.transactionId,
        // The invoice id prevents a second payment: PayPal accepts one payment per invoice id.
        invoice_id: request.transactionId,
        description: truncateText(request.description, DESCRIPTION_LENGTH),
        amount: toPaypalMoney(request.amountCents, request.currency),
        payee: { merchant_id: request.account.accountId },
      },
    ],
    payment_source: {
      paypal: {
        // Prefills PayPal's login; the customer can log in as somebody else.
        email_address: request.customerEmail,
        experience_context: {
          return_url: withoutPlaceholder(request.successUrl),
          cancel_url: withoutPlaceholder(request.cancelUrl),
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          // Excludes delayed payments (eCheck), which take days and would outlast the hold.
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
        },
      },
    },
  }
}

/** Removes the checkout placeholder from a URL. Only Stripe fills it in; PayPal appends the order as `token`. */
function withoutPlaceholder(url: string): string {
  return url.replaceAll('{CHECKOUT_SESSION_ID}', '')
}
