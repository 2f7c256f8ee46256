import type { AccountRequest } from '#server/platform/auth/account-request.ts'
import { type AccountMailBudgetDeps, spendAccountMail } from '#server/platform/budgets/spend-account-mail.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { SessionsDeps } from './deps.ts'
import { findUserId } from './repository.ts'
import { throwAuthRefusal } from './use-cases.ts'

/**
 * Mails a link for a new password, when the address has an account and may get another email. A known device has a
 * count of its own, so strangers cannot keep the owner from a link. Source: rule U27.
 */
export async function mailPasswordReset(
  deps: AccountMailBudgetDeps & Pick<SessionsDeps, 'db' | 'auth' | 'devices'>,
  { email, client, device }: AccountRequest & { kind: 'password_reset' },
): Promise<void> {
  const isWanted = await inTransaction(deps.db, async (trx) => {
    const userId = await findUserId(trx, email)
    if (userId === null) return false
    if (!deps.devices.knows(device, userId)) {
      return spendAccountMail(deps, trx, { client, recipient: email })
    }
    const own = { budget: 'email_account_device', subject: `${device.id} ${userId}` } as const
    return (await deps.budgets.take([own], trx)) === null
  })
  if (!isWanted) return
  const caller = { cookie: undefined, origin: undefined, userAgent: undefined, client }
  const path = '/request-password-reset'
  throwAuthRefusal(await deps.auth.call({ ...caller, method: 'POST', path, body: { email } }))
}
