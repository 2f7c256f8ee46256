import Stripe from 'stripe'
import { truncateText } from '#core/shared/text.ts'
import type { Clock } from '#server/platform/clock.ts'
import {
  type CheckoutRequest,
  type CheckoutState,
  type PaymentAccount,
  type PaymentProvider,
  PaymentProviderError,
} from '#server/ports/payment-provider.ts'
import { CHECKOUT_EXPANSION, toCheckoutState } from './checkout-state.ts'
import { buildConnectUrl } from './connect-url.ts'
import { isLiveKey } from './live-key.ts'
import { refundStripePayment } from './refund-stripe-payment.ts'
import { buildStripeClient } from './stripe-client.ts'
import { toProviderError } from './stripe-errors.ts'
import { readStripeEvent } from './stripe-event.ts'

export type StripeSettings = {
  /** The platform's secret key; in a request, `stripeAccount` selects the connected account. */
  readonly secretKey: string
  /** The client id in the platform's Connect settings, `ca_…`. */
  readonly clientId: string
  /** The secret of the webhook endpoint for connected accounts, `whsec_…`. */
  readonly webhookSecret: string
  /** Base URL of a stand-in. If absent, Stripe itself is used. */
  readonly sandboxUrl?: string
  readonly timeoutMs?: number
  readonly now: Clock
}

/**
 * Lifetime of a checkout at Stripe, in seconds. It matters only if our call that expires the checkout never arrives.
 * Stripe requires at least 30 minutes from creation; 5 more allow for network delay and retries.
 */
const SESSION_LIFETIME_S = 35 * 60
/** Stripe's maximum length of a product name, in characters. */
const NAME_LENGTH = 250

/** Stripe adapter for connected standard accounts: hosted Checkout, refunds, and their webhooks. */
export function buildStripeProvider(settings: StripeSettings): PaymentProvider {
  const stripe = buildStripeClient(settings)

  async function findCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState> {
    const params = { expand: CHECKOUT_EXPANSION }
    const session = await stripe.checkout.sessions.retrieve(checkoutId, params, onAccount(account))
    return toCheckoutState(session, account.accountId)
  }

  async function endCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState> {
    const before = await findCheckout(account, checkoutId)
    // A session with a payment in progress is not expired: the customer may have been charged.
    if (before.status !== 'open') return before
    try {
      const params = { expand: CHECKOUT_EXPANSION }
      const ended = await stripe.checkout.sessions.expire(checkoutId, params, onAccount(account))
      return toCheckoutState(ended, account.accountId)
    } catch (error) {
      // Only open sessions can be expired, so this error means that the customer has just paid.
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return findCheckout(account, checkoutId)
      throw error
    }
  }

  async function createCheckout(request: CheckoutRequest) {
    const session = await stripe.checkout.sessions.create(toSessionParams(request), {
      ...onAccount(request.account),
      idempotencyKey: `checkout-${request.transactionId}`,
    })
    const isAgreed = session.amount_total === request.amountCents && session.currency === request.currency
    if (!isAgreed) {
      await stripe.checkout.sessions.expire(session.id, {}, onAccount(request.account))
      throw new PaymentProviderError(
        'refused',
        'The price kept at Stripe is not the price of this appointment.',
      )
    }
    if (session.url === null)
      throw new PaymentProviderError('refused', 'Stripe made a checkout without a page.')
    return { id: session.id, url: session.url }
  }

  return {
    isSandbox: () => settings.sandboxUrl !== undefined || !isLiveKey(settings.secretKey),
    buildConnectUrl: (request) => buildConnectUrl(settings, request),
    connect: ({ code }) =>
      withProviderErrors(async () => {
        // Do not retry: an authorization code can be used only once.
        const options = { maxNetworkRetries: 0 }
        const token = await stripe.oauth.token({ grant_type: 'authorization_code', code }, options)
        if (token.stripe_user_id === undefined) {
          throw new PaymentProviderError('refused', 'Stripe did not name the account.')
        }
        return { accountId: token.stripe_user_id, email: null, webhookId: null }
      }),
    // One webhook receives the events of all accounts.
    addWebhook: null,
    disconnect: ({ accountId }) =>
      withProviderErrors(async () => {
        try {
          await stripe.oauth.deauthorize({ client_id: settings.clientId, stripe_user_id: accountId })
        } catch (error) {
          // Ignore this error, which means that the account is already disconnected: "This application is not connected
          // to stripe account …".
          if (!(error instanceof Stripe.errors.StripeInvalidClientError)) throw error
        }
      }),
    createCheckout: (request) => withProviderErrors(() => createCheckout(request)),
    findCheckout: (account, checkoutId) => withProviderErrors(() => findCheckout(account, checkoutId)),
    endCheckout: (account, checkoutId) => withProviderErrors(() => endCheckout(account, checkoutId)),
    // Stripe captures payments automatically, so its checkouts are never `approved`. Only fetch the state.
    captureCheckout: (account, checkoutId) => withProviderErrors(() => findCheckout(account, checkoutId)),
    refund: (request) => withProviderErrors(() => refundStripePayment(stripe, request)),
    // Stripe signs webhooks with a shared secret, so they are verified without a request to Stripe.
    peekWebhook: null,
    readWebhook: (request) => readStripeEvent(settings, request),
  }
}

function toSessionParams(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    transaction_id: request.transactionId,
    calendar_id: request.calendarId,
    appointment_id: request.appointmentId,
  }
  const price =
    request.stripePriceId === null
      ? {
          price_data: {
            currency: request.currency,
            unit_amount: request.amountCents,
            product_data: { name: truncateText(request.description, NAME_LENGTH) },
          },
        }
      : { price: request.stripePriceId }
  return {
    mode: 'payment',
    line_items: [{ ...price, quantity: 1 }],
    client_reference_id: request.appointmentId,
    customer_email: request.customerEmail,
    metadata,
    // The owner sees the description on the payment, and webhooks about charges contain the metadata.
    payment_intent_data: { metadata, description: request.description },
    // Turned off, because customers could otherwise pay in a currency other than the agreed one.
    adaptive_pricing: { enabled: false },
    expires_at: Math.floor(request.beganAtMs / 1_000) + SESSION_LIFETIME_S,
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  }
}

function onAccount(account: PaymentAccount): Stripe.RequestOptions {
  return { stripeAccount: account.accountId }
}

async function withProviderErrors<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    throw toProviderError(error)
  }
}
