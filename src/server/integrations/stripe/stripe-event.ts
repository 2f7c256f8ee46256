import Stripe from 'stripe'
import type { Clock } from '#server/platform/clock.ts'
import type { PaymentProviderEvent, WebhookRequest } from '#server/ports/payment-provider.ts'
import { isFreshlySigned, SIGNATURE_TOLERANCE_S } from './fresh-signature.ts'
import { isLiveKey } from './live-key.ts'

type EventSettings = { readonly secretKey: string; readonly webhookSecret: string; readonly now: Clock }

const IRRELEVANT = { kind: 'nothing' } as const

/** Parses a webhook about a connected account; null when it is not from Stripe or too old. */
export async function readStripeEvent(
  settings: EventSettings,
  request: WebhookRequest,
): Promise<PaymentProviderEvent | null> {
  const { headers, rawBody } = request
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string' || !isFreshlySigned(settings.now, request)) return null
  try {
    const { webhooks } = Stripe
    const event = await webhooks.constructEventAsync(
      rawBody,
      signature,
      settings.webhookSecret,
      SIGNATURE_TOLERANCE_S,
      undefined,
      settings.now(),
    )
    // A live endpoint also receives test-mode webhooks of connected accounts, which must be ignored.
    const isOfOurMode = event.livemode === isLiveKey(settings.secretKey)
    return { id: event.id, type: event.type, about: isOfOurMode ? toSubject(event) : IRRELEVANT }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
    throw error
  }
}

function toSubject(event: Stripe.Event): PaymentProviderEvent['about'] {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const { id, metadata } = event.data.object
      return isOurs(metadata) ? { kind: 'checkout', checkoutId: id } : IRRELEVANT
    }
    case 'charge.refunded':
      return isOurs(event.data.object.metadata) ? aboutPayment(event.data.object) : IRRELEVANT
    // Do not filter this event by metadata: a refund made in Stripe's dashboard has no metadata of ours.
    case 'refund.failed':
      return aboutPayment(event.data.object)
    case 'account.application.deauthorized':
      return event.account === undefined
        ? IRRELEVANT
        : { kind: 'account_gone', accountId: event.account, occurredAtMs: event.created * 1_000 }
    default:
      return IRRELEVANT
  }
}

/** True when an event is about one of our transactions. Owners also sell elsewhere with the same account. */
function isOurs(metadata: Stripe.Metadata | null): boolean {
  return metadata?.transaction_id !== undefined
}

function aboutPayment({ payment_intent }: Stripe.Charge | Stripe.Refund): PaymentProviderEvent['about'] {
  return typeof payment_intent === 'string' ? { kind: 'payment', paymentId: payment_intent } : IRRELEVANT
}
