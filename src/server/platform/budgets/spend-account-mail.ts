import type { Trx } from '#server/platform/db/transaction.ts'
import type { Client } from '#server/platform/http/client-of.ts'
import type { RecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import type { Budgets } from './budgets.ts'
import { spendForClient } from './spend-for-client.ts'

export type AccountMailBudgetDeps = { readonly budgets: Budgets; readonly recipientKeys: RecipientKeys }

/**
 * Counts an email about an account that somebody asked for: first for the client and the recipient, then for the
 * recipient, whom several clients may have written to. False when there is no room: the email is not sent, and nobody
 * is told. Source: rule E9.
 */
export async function spendAccountMail(
  { budgets, recipientKeys }: AccountMailBudgetDeps,
  trx: Trx,
  { client, recipient }: { client: Client; recipient: string },
): Promise<boolean> {
  const key = recipientKeys.keyOf(recipient)
  const spent =
    (await spendForClient(budgets, { budget: 'email_account_client', client, what: key }, trx)) ??
    (await budgets.take([{ budget: 'email_account_recipient', subject: key }], trx))
  return spent === null
}
