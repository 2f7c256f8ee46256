import type { BudgetUse } from '#server/platform/budgets/budgets.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { listClientBudgetUses, spendClientBudget } from '#server/platform/budgets/spend-client-budget.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type {
  PaymentProvider,
  PaymentProviderEvent,
  PaymentProviderName,
  WebhookRequest,
} from '#server/ports/payment-provider.ts'
import { findPaymentByProviderId } from '#server/records/ledger/ledger-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { hasStoredProviderEvent } from './repository.ts'

type EventSender = {
  /** The provider from which the request claims to come, and the calendar whose webhook received it. */
  readonly name: PaymentProviderName
  readonly calendarId: string
  readonly client: Client
}

/** Whether to ask the provider about an event. `ignore`: the event needs no work, even if it is genuine. */
type Permission =
  | { readonly kind: 'ignore' }
  /** `uses` are the counted uses of rate limits, which are subtracted again if the event is genuine. */
  | { readonly kind: 'ask'; readonly uses: readonly BudgetUse[] }

/**
 * Decides whether to ask the provider, with the owner's keys, if a webhook event is genuine. Anybody can send such
 * requests. So the free checks come first, then the check whether the event concerns a payment of this calendar, and
 * then the client's limit of wrong requests.
 * @throws ProblemError `payment.webhook_unsigned`, `request.too_many`
 */
export async function decideWebhookCheck(
  deps: CheckoutsDeps,
  provider: PaymentProvider,
  { request, sender }: { readonly request: WebhookRequest; readonly sender: EventSender },
): Promise<Permission> {
  if (provider.peekWebhook === null) return { kind: 'ask', uses: [] }
  const event = provider.peekWebhook(request)
  if (event === null) {
    await countStray(deps, sender)
    throw new ProblemError('payment.webhook_unsigned')
  }
  if (await hasStoredProviderEvent(deps.db, sender.name, event.id)) return { kind: 'ignore' }
  const whose = await findWhose(deps, { request, sender, event })
  if (whose === 'nobody') await countStray(deps, sender)
  if (whose !== 'this calendar') return { kind: 'ignore' }
  const { client, calendarId: what } = sender
  const use = { budget: 'webhook_checks', client, what } as const
  refuseIfOverBudget(await spendClientBudget(deps.budgets, use))
  return { kind: 'ask', uses: listClientBudgetUses(use) }
}

/**
 * Returns whose payment an event is about. An app that several calendars use sends each event to the webhooks of all of
 * them: those of another calendar are expected there, and do not count as wrong. Source: rule F14.
 */
async function findWhose(
  deps: CheckoutsDeps,
  {
    request,
    sender,
    event: { about },
  }: { readonly request: WebhookRequest; readonly sender: EventSender; readonly event: PaymentProviderEvent },
): Promise<'this calendar' | 'another calendar' | 'nobody'> {
  if (about.kind !== 'checkout' && about.kind !== 'payment') return 'nobody'
  const payment = await findPaymentByProviderId(deps.db, sender.name, about)
  if (payment === null) return 'nobody'
  if (payment.calendar_id === sender.calendarId) return 'this calendar'
  const clientId = request.account?.app?.clientId
  return clientId !== undefined && payment.app_client_id === clientId ? 'another calendar' : 'nobody'
}

async function countStray(
  { budgets }: CheckoutsDeps,
  { client, calendarId: what }: EventSender,
): Promise<void> {
  refuseIfOverBudget(await spendClientBudget(budgets, { budget: 'webhook_strays', client, what }))
}
