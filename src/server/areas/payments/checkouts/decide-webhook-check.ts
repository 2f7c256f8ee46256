import type { BudgetUse } from '#server/platform/budgets/budgets.ts'
import { refuseIfSpent } from '#server/platform/budgets/refuse-spent.ts'
import { listClientUses, spendForClient } from '#server/platform/budgets/spend-for-client.ts'
import type { Client } from '#server/platform/http/client-of.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type {
  PaymentProvider,
  ProviderEvent,
  ProviderName,
  WebhookRequest,
} from '#server/ports/payment-provider.ts'
import { findPaymentByProviderId } from '#server/records/ledger/ledger-repository.ts'
import { hasStoredEvent } from './event-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'

export type EventSender = {
  /** The provider in whose name the message came, and the calendar whose webhook got it. */
  readonly name: ProviderName
  readonly calendarId: string
  readonly client: Client
}

/** `ignore`: the message needs no work, whoever sent it. */
type Permission =
  | { readonly kind: 'ignore' }
  /** `uses`: what was counted for the question. It is given back when the message is the provider's own. */
  | { readonly kind: 'ask'; readonly uses: readonly BudgetUse[] }

/**
 * Decides whether to ask a provider, with the owner's keys, if a message is its own. Anybody can send such messages, so
 * the free checks come first, then whether there would be anything to do, then how often this client was wrong.
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
  if (await hasStoredEvent(deps.db, sender.name, event.id)) return { kind: 'ignore' }
  if (!(await isAboutOurs(deps, sender, event))) {
    await countStray(deps, sender)
    return { kind: 'ignore' }
  }
  const { client, calendarId: what } = sender
  const use = { budget: 'webhook_checks', client, what } as const
  refuseIfSpent(await spendForClient(deps.budgets, use))
  return { kind: 'ask', uses: listClientUses(use) }
}

async function isAboutOurs(
  deps: CheckoutsDeps,
  { name, calendarId }: EventSender,
  { about }: ProviderEvent,
): Promise<boolean> {
  if (about.kind !== 'checkout' && about.kind !== 'payment') return false
  return (await findPaymentByProviderId(deps.db, name, about))?.calendarId === calendarId
}

async function countStray(
  { budgets }: CheckoutsDeps,
  { client, calendarId: what }: EventSender,
): Promise<void> {
  refuseIfSpent(await spendForClient(budgets, { budget: 'webhook_strays', client, what }))
}
