import Stripe from 'stripe'
import { cutText } from '#core/shared/text.ts'
import type { Clock } from '#server/platform/clock.ts'
import {
  type CheckoutRequest,
  type CheckoutState,
  type PaymentAccount,
  type PaymentProvider,
  ProviderError,
} from '#server/ports/payment-provider.ts'
import { CHECKOUT_EXPANSION, toCheckoutState } from './checkout-state.ts'
import { buildConnectUrl } from './connect-url.ts'
import { isLiveKey } from './live-key.ts'
import { refundOnce } from './refund-once.ts'
import { buildStripeClient } from './stripe-client.ts'
import { toProviderError } from './stripe-errors.ts'
import { readStripeEvent } from './stripe-event.ts'

export type StripeSettings = {
  /** The platform's own key; `stripeAccount` names the account that it acts for. */
  readonly secretKey: string
  /** Of the platform's Connect settings, `ca_…`. */
  readonly clientId: string
  /** Of the webhook endpoint for connected accounts, `whsec_…`. */
  readonly webhookSecret: string
  /** Where a stand-in listens. Absent: Stripe itself. */
  readonly sandboxUrl?: string
  readonly timeoutMs?: number
  readonly now: Clock
}

/**
 * How long a checkout can be paid at Stripe when our call that ends it never arrives, in seconds. Stripe requires at
 * least 30 minutes from when it makes the session; the 5 minutes more are for the way there and repetitions.
 */
const SESSION_LIFETIME_S = 35 * 60
/** Stripe's limit for the name of what is sold, in characters. */
const NAME_LENGTH = 250

/** Stripe for connected standard accounts: hosted Checkout, refunds, and the events of those accounts. */
export function buildStripeProvider(settings: StripeSettings): PaymentProvider {
  const stripe = buildStripeClient(settings)

  async function findCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState> {
    const params = { expand: CHECKOUT_EXPANSION }
    const session = await stripe.checkout.sessions.retrieve(checkoutId, params, onAccount(account))
    return toCheckoutState(session, account.accountId)
  }

  async function endCheckout(account: PaymentAccount, checkoutId: string): Promise<CheckoutState> {
    const before = await findCheckout(account, checkoutId)
    // A session whose payment is under way is not ended: the customer may have been charged.
    if (before.status !== 'open') return before
    try {
      const params = { expand: CHECKOUT_EXPANSION }
      const ended = await stripe.checkout.sessions.expire(checkoutId, params, onAccount(account))
      return toCheckoutState(ended, account.accountId)
    } catch (error) {
      // Only an open session can be ended: the customer was faster.
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
      throw new ProviderError('refused', 'The price kept at Stripe is not the price of this appointment.')
    }
    if (session.url === null) throw new ProviderError('refused', 'Stripe made a checkout without a page.')
    return { id: session.id, url: session.url }
  }

  return {
    isSandbox: () => settings.sandboxUrl !== undefined || !isLiveKey(settings.secretKey),
    buildConnectUrl: (request) => buildConnectUrl(settings, request),
    connect: ({ code }) =>
      inOurWords(async () => {
        // A code is valid once: a repetition would be refused as used.
        const options = { maxNetworkRetries: 0 }
        const token = await stripe.oauth.token({ grant_type: 'authorization_code', code }, options)
        if (token.stripe_user_id === undefined) {
          throw new ProviderError('refused', 'Stripe did not name the account.')
        }
        return { accountId: token.stripe_user_id, email: null, webhookId: null }
      }),
    disconnect: ({ accountId }) =>
      inOurWords(async () => {
        try {
          await stripe.oauth.deauthorize({ client_id: settings.clientId, stripe_user_id: accountId })
        } catch (error) {
          // "This application is not connected to stripe account …": it is cut already.
          if (!(error instanceof Stripe.errors.StripeInvalidClientError)) throw error
        }
      }),
    createCheckout: (request) => inOurWords(() => createCheckout(request)),
    findCheckout: (account, checkoutId) => inOurWords(() => findCheckout(account, checkoutId)),
    endCheckout: (account, checkoutId) => inOurWords(() => endCheckout(account, checkoutId)),
    // Stripe captures by itself, so nothing at Stripe is ever `approved`.
    captureCheckout: (account, checkoutId) => inOurWords(() => findCheckout(account, checkoutId)),
    refund: (request) => inOurWords(() => refundOnce(stripe, request)),
    // Stripe's messages are signed with a secret that we share.
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
            product_data: { name: cutText(request.description, NAME_LENGTH) },
          },
        }
      : { price: request.stripePriceId }
  return {
    mode: 'payment',
    line_items: [{ ...price, quantity: 1 }],
    client_reference_id: request.appointmentId,
    customer_email: request.customerEmail,
    metadata,
    // The owner finds it on the payment too, and events about charges carry it.
    payment_intent_data: { metadata, description: request.description },
    // Otherwise a customer could pay in another currency than was agreed.
    adaptive_pricing: { enabled: false },
    expires_at: Math.floor(request.beganAtMs / 1_000) + SESSION_LIFETIME_S,
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  }
}

function onAccount(account: PaymentAccount): Stripe.RequestOptions {
  return { stripeAccount: account.accountId }
}

async function inOurWords<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    throw toProviderError(error)
  }
}
