import { z } from 'zod'
import type { Clock } from '#server/platform/clock.ts'
import { ProviderError, type ProviderEvent, type WebhookRequest } from '#server/ports/payment-provider.ts'
import type { PaypalClient } from './paypal-client.ts'
import { toJson } from './paypal-request.ts'

/** Older messages are not believed, in milliseconds. */
const TOLERANCE_MS = 300_000

const header = z.string().min(1).max(500)
const signature = z
  .object({
    'paypal-auth-algo': header,
    'paypal-cert-url': header,
    'paypal-transmission-id': header,
    'paypal-transmission-sig': header,
    'paypal-transmission-time': header,
  })
  .transform((headers) => ({
    auth_algo: headers['paypal-auth-algo'],
    cert_url: headers['paypal-cert-url'],
    transmission_id: headers['paypal-transmission-id'],
    transmission_sig: headers['paypal-transmission-sig'],
    transmission_time: headers['paypal-transmission-time'],
  }))

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

/**
 * What PayPal tells about an owner's app, or null when it is not PayPal, or too old.
 * @throws ProviderError `unavailable` when PayPal did not say whether the message is its own
 */
export async function readPaypalEvent(
  client: PaypalClient,
  now: Clock,
  { headers, rawBody, payee }: WebhookRequest,
): Promise<ProviderEvent | null> {
  const app = payee?.app ?? null
  const signed = signature.safeParse(headers)
  const event = paypalEvent.safeParse(toJson(rawBody.toString()))
  if (app === null || app.webhookId === null || !signed.success || !event.success) return null
  const ageMs = Math.abs(now() - Date.parse(signed.data.transmission_time))
  // Not `>`: what is no time has no age.
  if (!(ageMs <= TOLERANCE_MS)) return null
  try {
    const fields = JSON.stringify({ ...signed.data, webhook_id: app.webhookId })
    const { verification_status } = await client.ask(app, {
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      // PayPal checks the bytes that it sent: parsed and written again they may differ. They are JSON, as was seen above.
      body: `${fields.slice(0, -1)},"webhook_event":${rawBody.toString()}}`,
      reply: verification,
      isRepeatable: true,
    })
    if (verification_status !== 'SUCCESS') return null
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'refused') return null
    throw error
  }
  return { id: event.data.id, type: event.data.event_type, about: aboutOf(event.data) }
}

function aboutOf({ event_type, resource }: PaypalEvent): ProviderEvent['about'] {
  const orderId =
    event_type === 'CHECKOUT.ORDER.APPROVED'
      ? resource.id
      : resource.supplementary_data?.related_ids?.order_id
  if (orderId !== undefined) return { kind: 'checkout', checkoutId: orderId }
  if (!/^PAYMENT\.(CAPTURE|REFUND)\./.test(event_type)) return { kind: 'nothing' }
  // Of money that went back PayPal shows the refund, which leads up to its capture.
  const up = resource.links.find(({ rel }) => rel === 'up')?.href
  const [, paymentId = resource.id] = /\/captures\/(\w{1,50})$/.exec(up ?? '') ?? []
  return paymentId === undefined ? { kind: 'nothing' } : { kind: 'payment', paymentId }
}
