import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { webhookOperations } from '#contract/payments/webhook-operations.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import type { BillingDeps } from './deps.ts'
import { PLAN_SYNC } from './job-definitions.ts'
import { insertBillingEvent } from './repository.ts'

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
      ...serve(webhookOperations.receiveStripeBillingEvent),
      handler: async ({ headers, body }) => {
        // Without a body there is nothing to verify, so pass an empty one.
        await receiveBillingEvent(deps, { headers, rawBody: Buffer.isBuffer(body) ? body : Buffer.alloc(0) })
        return { received: true } as const
      },
    })
  }
}

/** Maximum length of an id, type or customer in an event. The provider's are never longer. */
const LONGEST_NAME = 255

/**
 * Receives a billing event: verifies its signature, stores it once, and queues a sync. The content of the event is not
 * used. Source: rule S10.
 * @throws ProblemError `payment.webhook_unsigned` also for an event of a connected account, and where no plans are sold
 */
async function receiveBillingEvent(
  deps: Pick<BillingDeps, 'billing' | 'db' | 'now' | 'jobs'>,
  request: Pick<WebhookRequest, 'headers' | 'rawBody'>,
): Promise<void> {
  const event = (await deps.billing?.readWebhook(request)) ?? null
  const names = [event?.id, event?.type, event?.customerId ?? '']
  if (event === null || names.some((name) => name === undefined || name.length > LONGEST_NAME)) {
    throw new ProblemError('payment.webhook_unsigned')
  }
  const { customerId } = event
  await inTransaction(deps.db, async (trx) => {
    const isNew = await insertBillingEvent(trx, event, new Date(deps.now()))
    if (isNew && customerId !== null) await deps.jobs.insert(trx, PLAN_SYNC, [{ customerId }])
  })
}
