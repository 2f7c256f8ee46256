import type { Caller } from '#server/platform/auth/caller.ts'
import type { BudgetUse } from '#server/platform/budgets/budgets.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { spendClientBudget } from '#server/platform/budgets/spend-client-budget.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { SessionsDeps } from './deps.ts'
import { findLogin, type LoginRow } from './repository.ts'

/**
 * Checks the password of a login and returns the hash that it matches. A wrong password causes the same steps whether
 * the address has an account, only a registration, or neither. Source: rule U8.
 * @throws ProblemError `auth.invalid_credentials`, `auth.email_not_verified`, `request.too_many`
 */
export async function checkPassword(
  deps: SessionsDeps,
  caller: Caller,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const { login, counted } = await countLogin(deps, caller, email)
  if ((await deps.auth.fitsHash(login.passwordHash, password)) && login.passwordHash !== null) {
    await deps.budgets.clear(counted)
    return login.passwordHash
  }
  const isRegistrant = await deps.auth.fitsHash(login.registrationHash, password)
  const { registrationId } = login
  if (!isRegistrant || registrationId === null) throw new ProblemError('auth.invalid_credentials')
  const { client } = caller
  await inTransaction(deps.db, (trx) =>
    deps.queueAccountMailRequest(trx, { kind: 'registration', registrationId, client }),
  )
  throw new ProblemError('auth.email_not_verified')
}

/**
 * Rate limits a login before its password is checked. Unknown devices are counted per client first, so that one client
 * cannot use up an account's limit. A known device has its own limit, which no stranger can use up. Source: rules U25
 * and U26.
 * @throws ProblemError `request.too_many`
 */
async function countLogin(
  deps: SessionsDeps,
  { client, cookie }: Caller,
  email: string,
): Promise<{ login: LoginRow; counted: BudgetUse }> {
  const device = deps.devices.read(cookie)
  if (device === null)
    refuseIfOverBudget(await spendClientBudget(deps.budgets, { budget: 'login_client', client }))
  const login = await findLogin(deps.db, email)
  const { userId } = login
  const isKnown = device !== null && userId !== null && deps.devices.knows(device, userId)
  if (device !== null && !isKnown) {
    refuseIfOverBudget(await spendClientBudget(deps.budgets, { budget: 'login_client', client }))
  }
  const counted: BudgetUse = isKnown
    ? { budget: 'login_device', subject: `${device.id} ${userId}` }
    : { budget: 'login_account', subject: userId ?? toLoginCounterKey(deps, email) }
  refuseIfOverBudget(await deps.budgets.spend([counted]))
  return { login, counted }
}

/**
 * Returns the key that counts logins to an email address without an account, so that such logins are refused like any
 * others. The addresses are hashed into 4,096 buckets: made-up addresses create no more rows than that, and nobody can
 * choose their bucket. Source: rule U28.
 */
export function toLoginCounterKey({ signer }: Pick<SessionsDeps, 'signer'>, email: string): string {
  return `no account ${signer.sign(email, 'login drawer').slice(0, 2)}`
}
