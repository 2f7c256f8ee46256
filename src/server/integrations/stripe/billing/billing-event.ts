import Stripe from 'stripe'
import type { Clock } from '#server/platform/clock.ts'
import type { BillingEvent } from '#server/ports/billing-provider.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import { isFreshlySigned, SIGNATURE_TOLERANCE_S } from '../fresh-signature.ts'

type EventSettings = { readonly webhookSecret: string; readonly now: Clock }

/**
 * Parses a webhook about the operator's own account; null when it is not from Stripe, too old, or about a connected
 * account, whose customers are not ours. Source: rule S10.
 */
export async function readBillingEvent(
  settings: EventSettings,
  request: Pick<WebhookRequest, 'headers' | 'rawBody'>,
): Promise<BillingEvent | null> {
  const signature = request.headers['stripe-signature']
  if (typeof signature !== 'string' || !isFreshlySigned(settings.now, request)) return null
  try {
    const event = await Stripe.webhooks.constructEventAsync(
      request.rawBody,
      signature,
      settings.webhookSecret,
      SIGNATURE_TOLERANCE_S,
      undefined,
      settings.now(),
    )
    if (event.account !== undefined) return null
    return { id: event.id, type: event.type, customerId: customerIn(event.data.object) }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
    throw error
  }
}

/** Returns the id of the customer that an object represents or belongs to. */
function customerIn(object: object): string | null {
  if ('object' in object && object.object === 'customer') return idIn(object)
  return 'customer' in object ? idIn(object.customer) : null
}

/** Returns a value that is an id, or the id of a value that is an object. */
function idIn(value: unknown): string | null {
  if (typeof value === 'string') return value
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' ? id : null
}
