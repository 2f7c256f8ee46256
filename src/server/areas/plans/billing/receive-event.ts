import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'
import type { BillingDeps } from './deps.ts'
import { insertBillingEvent } from './event-repository.ts'
import { PLAN_SYNC } from './job-definitions.ts'

/** Longer than any id, type or customer of the provider. */
const LONGEST_NAME = 255

/**
 * Receives a billing event: verifies its signature, stores it once, and queues a sync. The content of the event is not
 * used. Source: rule S10.
 * @throws ProblemError `payment.webhook_unsigned` also for an event of a connected account, and where no plans are sold
 */
export async function receiveBillingEvent(
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
