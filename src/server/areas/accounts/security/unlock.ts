import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Budgets, BudgetUse } from '#server/platform/budgets/budgets.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { RecipientKeys } from '#server/platform/secrets/recipient-keys.ts'
import { consumeUnlockedCounts, recordOperatorAction } from '#server/records/operator-actions/repository.ts'

type UnlockDeps = {
  readonly now: () => number
  readonly budgets: Pick<Budgets, 'take' | 'restore'>
  readonly recipientKeys: RecipientKeys
}

/**
 * Deletes the counts that keep an owner out: passwords, codes and account emails. Counts of known devices and clients
 * stay; they belong to no account. Returns how many counts there were. Source: rule U37.
 */
export async function unlockAccount(
  { now, budgets, recipientKeys }: UnlockDeps,
  trx: Trx,
  { ownerId, email }: { readonly ownerId: OwnerId; readonly email: string },
): Promise<number> {
  const mailbox = recipientKeys.keyOf(email)
  const uses: readonly BudgetUse[] = [
    { budget: 'login_account', subject: ownerId },
    { budget: 'login_code_account', subject: ownerId },
    { budget: 'proof_password', subject: ownerId },
    { budget: 'proof_code', subject: ownerId },
    { budget: 'email_account_recipient', subject: mailbox },
    { budget: 'email_account_notice', subject: mailbox },
  ]
  const counts = await budgets.take(uses, trx)
  await recordOperatorAction(trx, ownerId, { at: new Date(now()), action: 'unlocked', counts })
  return counts.length
}

/** Puts back the counts that the latest unlocking deleted. False when there is no unlocking to undo. */
export async function undoUnlock(
  { now, budgets }: Omit<UnlockDeps, 'recipientKeys'>,
  trx: Trx,
  ownerId: OwnerId,
): Promise<boolean> {
  const counts = await consumeUnlockedCounts(trx, ownerId)
  if (counts === null) return false
  await budgets.restore(counts, trx)
  await recordOperatorAction(trx, ownerId, { at: new Date(now()), action: 'unlock_undone' })
  return true
}
