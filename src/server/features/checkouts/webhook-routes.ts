import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idOf } from '#contract/primitives.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import { clientOf } from '#server/platform/http/client-of.ts'
import { type CheckoutsDeps, receiveEvent } from './use-cases.ts'

/** Events of providers are larger than requests of people; in bytes. */
const BODY_LIMIT = 512 * 1024

const received = z.object({ received: z.literal(true) })

/** The events of providers. Their signature covers the bytes as they came, so they are not parsed as JSON before. */
export function webhookRoutes(deps: CheckoutsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )

    app.post('/api/webhooks/stripe', {
      schema: {
        operationId: 'receiveStripeEvent',
        summary: 'What Stripe tells about payments and accounts',
        tags: ['Webhooks'],
        response: { 200: received, 400: problemSchema, 503: problemSchema },
      },
      handler: async (request) => {
        const { headers, body } = request
        const message = { headers, rawBody: toBytes(body), calendarId: null, client: clientOf(request) }
        await receiveEvent(deps, 'stripe', message)
        return { received: true } as const
      },
    })

    app.post('/api/webhooks/paypal/:id', {
      schema: {
        operationId: 'receivePaypalEvent',
        summary: 'What PayPal tells about the payments of one calendar',
        tags: ['Webhooks'],
        params: z.object({ id: idOf('payment.webhook_unsigned') }),
        response: { 200: received, 400: problemSchema, 429: problemSchema, 503: problemSchema },
      },
      handler: async (request) => {
        const { headers, params, body } = request
        const message = { headers, rawBody: toBytes(body), calendarId: params.id, client: clientOf(request) }
        await receiveEvent(deps, 'paypal', message)
        return { received: true } as const
      },
    })
  }
}

/** A request without a body has nothing that could be signed. */
function toBytes(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}
