import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { webhookOperations } from '#contract/payments/webhook-operations.ts'
import { clientOfRequest } from '#server/platform/http/client-of-request.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { receiveProviderEvent } from './receive-event.ts'

/** Maximum size of a webhook's body, in bytes. Provider events are larger than other requests. */
const BODY_LIMIT = 512 * 1024

/** Webhook routes of the providers. The signature covers the raw bytes, so the body is not parsed as JSON first. */
export function webhookRoutes(deps: CheckoutsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )

    app.route({
      ...toRoute(webhookOperations.receiveStripeEvent),
      handler: async (request) => {
        const { headers, body } = request
        const message = {
          headers,
          rawBody: toBytes(body),
          calendarId: null,
          client: clientOfRequest(request),
        }
        await receiveProviderEvent(deps, 'stripe', message)
        return { received: true } as const
      },
    })

    app.route({
      ...toRoute(webhookOperations.receivePaypalEvent),
      handler: async (request) => {
        const { headers, params, body } = request
        const message = {
          headers,
          rawBody: toBytes(body),
          calendarId: params.id,
          client: clientOfRequest(request),
        }
        await receiveProviderEvent(deps, 'paypal', message)
        return { received: true } as const
      },
    })
  }
}

/** A request without a body cannot be signed; it gets an empty buffer. */
function toBytes(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}
