import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { webhookOperations } from '#contract/payments/webhook-operations.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import type { BillingDeps } from './deps.ts'
import { receiveBillingEvent } from './use-cases.ts'

/** Maximum size of a webhook's body, in bytes. Events are larger than ordinary requests. */
const BODY_LIMIT = 512 * 1024

/** Route of the webhook for billing events. The signature covers the raw bytes, so the body is not parsed as JSON. */
export function billingWebhookRoutes(deps: BillingDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    )

    app.route({
      ...toRoute(webhookOperations.receiveStripeBillingEvent),
      handler: async ({ headers, body }) => {
        // Without a body there is nothing to verify, so pass an empty one.
        await receiveBillingEvent(deps, { headers, rawBody: Buffer.isBuffer(body) ? body : Buffer.alloc(0) })
        return { received: true } as const
      },
    })
  }
}
