import { disconnectAccountFromAllCalendars } from '#server/areas/payments/accounts/repository.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  type PaymentProvider,
  PaymentProviderError,
  type PaymentProviderEvent,
  type PaymentProviderName,
  type WebhookRequest,
} from '#server/ports/payment-provider.ts'
import { findPaymentByProviderId } from '#server/records/ledger/ledger-repository.ts'
import { decideWebhookCheck } from './decide-webhook-check.ts'
import { type CheckoutsDeps, findPaymentAccount } from './find-payment-account.ts'
import { PAYMENT_EVENT_JOB, type PaymentEventJob } from './job-definitions.ts'
import { syncRefundsFromProvider } from './refund-payment.ts'
import { releaseOrExtendHold } from './release-or-extend-hold.ts'
import { insertProviderEvent } from './repository.ts'
import { isPaymentSettled, settleWithProvider } from './settle-with-provider.ts'

/**
 * A webhook request. `calendarId` is the calendar whose webhook received it, or null when the webhook is shared;
 * `client` is the sender.
 */
type Message = Omit<WebhookRequest, 'account'> & {
  readonly calendarId: string | null
  readonly client: Client
}

/**
 * Receives a provider event: verifies its signature, stores it once, and queues a job that asks the provider for the state of
 * the payment.
 * @throws ProblemError `payment.webhook_unsigned`, `request.too_many`, `server.unavailable`
 */
export async function receiveProviderEvent(
  deps: CheckoutsDeps,
  name: PaymentProviderName,
  { calendarId, client, ...message }: Message,
): Promise<void> {
  const target =
    calendarId === null ? null : await findPaymentAccount(deps, deps.db, { calendarId, provider: name })
  const provider = calendarId === null ? deps.providers[name] : target?.provider
  if (provider === undefined) throw new ProblemError('payment.webhook_unsigned')
  const request = { ...message, account: target?.account ?? null }
  const sender = { name, calendarId: calendarId ?? '', client }
  const permission = await decideWebhookCheck(deps, provider, { request, sender })
  if (permission.kind === 'ignore') return
  const event = await readEvent(provider, request)
  if (event === null) throw new ProblemError('payment.webhook_unsigned')
  await deps.budgets.uncount(permission.uses)
  const { about } = event
  await inTransaction(deps.db, async (trx) => {
    const isNew = await insertProviderEvent(trx, name, event, new Date(deps.now()))
    if (isNew && about.kind !== 'nothing')
      await deps.jobs.insert(trx, PAYMENT_EVENT_JOB, [{ provider: name, about }])
  })
}

/**
 * Parses an event. Returns null when the signature is wrong.
 * @throws ProblemError `server.unavailable` when the signature cannot be checked now; the provider then sends the event
 * again
 */
async function readEvent(
  provider: PaymentProvider,
  message: WebhookRequest,
): Promise<PaymentProviderEvent | null> {
  try {
    return await provider.readWebhook(message)
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    throw new ProblemError('server.unavailable')
  }
}

/**
 * Applies a provider event. The event is only a hint: events arrive in any order, so the provider is asked for the state of the
 * payment. Throws when it could not be asked, so that the job is retried. Source: rule P4.
 */
export async function applyProviderEvent(
  deps: CheckoutsDeps,
  { provider, about }: PaymentEventJob,
): Promise<void> {
  if (about.kind === 'account_gone') {
    const gone = { provider, accountId: about.accountId, updatedAt: new Date(deps.now()) }
    await disconnectAccountFromAllCalendars(deps.db, gone, new Date(about.occurredAtMs))
    return
  }
  const payment = await findPaymentByProviderId(deps.db, provider, about)
  if (payment === null) {
    // The event is not about a payment of ours, or its id is not stored yet; in that case a later response of the
    // provider includes it.
    deps.log.info({ provider, kind: about.kind }, 'an event about no payment of ours')
    return
  }
  if (isPaymentSettled(payment)) {
    await syncRefundsFromProvider(deps, payment)
    return
  }
  const progress = await settleWithProvider(deps, payment, 'findCheckout')
  if (progress === 'unknown')
    throw new PaymentProviderError('unavailable', 'The payment could not be asked for.')
  if (progress === 'ended')
    await releaseOrExtendHold(deps, payment, {
      progress,
      failure: 'The checkout ended unpaid.',
      isAbandoned: true,
    })
}
