import { z } from 'zod'
import type { Clock } from '#server/platform/clock.ts'
import {
  PaymentProviderError,
  type PaymentProviderEvent,
  type WebhookRequest,
} from '#server/ports/payment-provider.ts'
import type { PaypalClient } from './paypal-client.ts'
import { parseJson } from './paypal-request.ts'

/** Maximum age of a webhook, in milliseconds. Older ones are rejected. */
const TOLERANCE_MS = 300_000

const header = z.string().min(1).max(500)
const signature = z
  .object({
    'paypal-auth-algo': header.regex(/^SHA\d{3}withRSA$/),
    'paypal-cert-url': header.refine(isOfPaypal),
    'paypal-transmission-id': header,
    // The signature, in Base64.
    'paypal-transmission-sig': header.regex(/^[A-Za-z0-9+/]+={0,2}$/),
    'paypal-transmission-time': header,
  })
  .transform((headers) => ({
    auth_algo: headers['paypal-auth-algo'],
    cert_url: headers['paypal-cert-url'],
    transmission_id: headers['paypal-transmission-id'],
    transmission_sig: headers['paypal-transmission-sig'],
    transmission_time: headers['paypal-transmission-time'],
  }))

/** True for the URL of a certificate on PayPal's own hosts: https://api.paypal.com/v1/notifications/certs/… */
function isOfPaypal(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '' || url.port !== '') return false
  return url.protocol === 'https:' && /(^|\.)paypal\.com$/.test(url.hostname)
}

const paypalId = z.string().min(1).max(50)
const paypalEvent = z.object({
  id: z.string().min(1).max(100),
  event_type: z.string().min(1).max(100),
  resource: z.object({
    id: paypalId.optional(),
    supplementary_data: z
      .object({ related_ids: z.object({ order_id: paypalId.optional() }).optional() })
      .optional(),
    links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
  }),
})
type PaypalEvent = z.infer<typeof paypalEvent>

const verification = z.object({ verification_status: z.string() })

/** A parsed webhook whose signature is not verified yet, so it may not be from PayPal. */
type Peeked = { readonly signed: z.infer<typeof signature>; readonly event: PaypalEvent }

/**
 * Parses a webhook without verifying its signature; null when it is malformed or too old, so that it cannot be from
 * PayPal.
 */
export function parsePaypalEvent(now: Clock, request: WebhookRequest): PaymentProviderEvent | null {
  const peeked = peek(now, request)
  return peeked && toProviderEvent(peeked.event)
}

function peek(now: Clock, { headers, rawBody }: WebhookRequest): Peeked | null {
  const signed = signature.safeParse(headers)
  if (!signed.success) return null
  const ageMs = Math.abs(now() - Date.parse(signed.data.transmission_time))
  // Do not use `>` here: an invalid time yields NaN, which must be rejected.
  if (!(ageMs <= TOLERANCE_MS)) return null
  const event = paypalEvent.safeParse(parseJson(rawBody.toString()))
  return event.success ? { signed: signed.data, event: event.data } : null
}

/**
 * Parses a webhook about an owner's app; null when it is not from PayPal or too old.
 * @throws PaymentProviderError `unavailable` when PayPal did not say whether the webhook is authentic
 */
export async function readPaypalEvent(
  client: PaypalClient,
  now: Clock,
  request: WebhookRequest,
): Promise<PaymentProviderEvent | null> {
  const app = request.account?.app ?? null
  if (app === null || app.webhookId === null) return null
  const peeked = peek(now, request)
  if (peeked === null) return null
  try {
    const fields = JSON.stringify({ ...peeked.signed, webhook_id: app.webhookId })
    const { verification_status } = await client.ask(app, {
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      // PayPal verifies the exact bytes that it sent, so do not re-serialise them. They are valid JSON, as checked
      // above.
      body: `${fields.slice(0, -1)},"webhook_event":${request.rawBody.toString()}}`,
      reply: verification,
      isRepeatable: true,
    })
    if (verification_status !== 'SUCCESS') return null
  } catch (error) {
    if (error instanceof PaymentProviderError && error.kind === 'refused') return null
    throw error
  }
  return toProviderEvent(peeked.event)
}

function toProviderEvent(event: PaypalEvent): PaymentProviderEvent {
  return { id: event.id, type: event.event_type, about: toSubject(event) }
}

function toSubject({ event_type, resource }: PaypalEvent): PaymentProviderEvent['about'] {
  const orderId =
    event_type === 'CHECKOUT.ORDER.APPROVED'
      ? resource.id
      : resource.supplementary_data?.related_ids?.order_id
  if (orderId !== undefined) return { kind: 'checkout', checkoutId: orderId }
  if (!/^PAYMENT\.(CAPTURE|REFUND)\./.test(event_type)) return { kind: 'nothing' }
  // For refunds PayPal sends the refund object, whose `up` link points to its capture.
  const up = resource.links.find(({ rel }) => rel === 'up')?.href
  const [, paymentId = resource.id] = /\/captures\/(\w{1,50})$/.exec(up ?? '') ?? []
  return paymentId === undefined ? { kind: 'nothing' } : { kind: 'payment', paymentId }
}
