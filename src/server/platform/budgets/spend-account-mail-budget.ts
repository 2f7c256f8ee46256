import type { Trx } from '#server/platform/db/transaction.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import type { RecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import type { Budgets } from './budgets.ts'
import { spendClientBudget } from './spend-client-budget.ts'

export type AccountMailBudgetDeps = { readonly budgets: Budgets; readonly recipientKeys: RecipientKeys }

/**
 * Counts a requested account email, first per client and recipient, then per recipient, because several clients may
 * have requested emails to the same recipient. Returns false when a limit is exceeded; the email is then silently not
 * sent. Source: rule E9.
 */
export async function spendAccountMailBudget(
  { budgets, recipientKeys }: AccountMailBudgetDeps,
  trx: Trx,
  { client, recipient }: { client: Client; recipient: string },
): Promise<boolean> {
  const key = recipientKeys.keyOf(recipient)
  const spent =
    (await spendClientBudget(budgets, { budget: 'email_account_client', client, what: key }, trx)) ??
    (await budgets.spend([{ budget: 'email_account_recipient', subject: key }], trx))
  return spent === null
}
