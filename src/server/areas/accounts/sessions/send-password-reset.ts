import type { AccountRequest } from '#server/platform/auth/account-request.ts'
import { type AccountMailBudgetDeps, spendAccountMail } from '#server/platform/budgets/spend-account-mail.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { SessionsDeps } from './deps.ts'
import { findUserId } from './repository.ts'
import { throwAuthRefusal } from './use-cases.ts'

/**
 * Emails a password reset link if the address has an account and its email budget allows. A known device has its own
 * budget, so strangers cannot block the owner from getting a link. Source: rule U27.
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
    return (await deps.budgets.spend([own], trx)) === null
  })
  if (!isWanted) return
  const caller = { cookie: undefined, origin: undefined, userAgent: undefined, client }
  const path = '/request-password-reset'
  throwAuthRefusal(await deps.auth.call({ ...caller, method: 'POST', path, body: { email } }))
}
