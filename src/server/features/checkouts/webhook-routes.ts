import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { problemSchema } from '#contract/problem-schema.ts'
import { type CheckoutsDeps, receiveEvent } from './use-cases.ts'

/** Events of providers are larger than what people send; in bytes. */
const BODY_LIMIT = 512 * 1024

const received = z.object({ received: z.literal(true) })

/** What providers tell. Their signature is over the bytes as they came, so nothing here reads them as JSON before. */
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
      handler: async ({ headers, body }) => {
        await receiveEvent(deps, 'stripe', { headers, rawBody: toBytes(body), calendarId: null })
        return { received: true } as const
      },
    })

    app.post('/api/webhooks/paypal/:id', {
      schema: {
        operationId: 'receivePaypalEvent',
        summary: 'What PayPal tells about the payments of one calendar',
        tags: ['Webhooks'],
        params: z.object({ id: z.uuid('payment.webhook_unsigned') }),
        response: { 200: received, 400: problemSchema, 503: problemSchema },
      },
      handler: async ({ headers, params, body }) => {
        await receiveEvent(deps, 'paypal', { headers, rawBody: toBytes(body), calendarId: params.id })
        return { received: true } as const
      },
    })
  }
}

/** A request without a body has none that could be signed. */
function toBytes(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}
