import { PROBLEMS } from '#contract/shared/problem.ts'
import { parseSecondFactorCode } from '#core/accounts/second-factor-code.ts'
import { throwTranslatedAuthError } from '#server/areas/accounts/sessions/use-cases.ts'
import type { Auth } from '#server/platform/auth/auth.ts'
import type { Caller } from '#server/platform/auth/caller.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Budgets, BudgetUse } from '#server/platform/budgets/budgets.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

export type IdentityCheckDeps = {
  readonly auth: Auth
  readonly budgets: Budgets
}

/**
 * Checks the password again before an owner changes how they log in, exports, moves or deletes the account: an open
 * session is not enough. All attempts count towards one limit. Source: rule U24.
 * @throws ProblemError `account.wrong_password` about `field`, `request.too_many`
 */
export async function verifyPassword(
  deps: IdentityCheckDeps,
  ownerId: OwnerId,
  { password, field }: { password: string; field: string },
): Promise<void> {
  const use: BudgetUse = { budget: 'proof_password', subject: ownerId }
  refuseIfOverBudget(await deps.budgets.spend([use]))
  if (!(await deps.auth.verifyPassword(ownerId, password))) {
    const code = 'account.wrong_password'
    throw new ProblemError(code, [{ path: field, message: PROBLEMS[code].title }])
  }
  await deps.budgets.clear(use)
}

/**
 * Checks a code of the authenticator app or, if `allowBackup`, a backup code, which is then used up.
 * @throws ProblemError `account.wrong_code`, `account.code_locked`
 */
export async function verifySecondFactor(
  deps: IdentityCheckDeps,
  caller: Caller,
  ownerId: OwnerId,
  { typed, allowBackup }: { typed: string; allowBackup: boolean },
): Promise<void> {
  const use: BudgetUse = { budget: 'proof_code', subject: ownerId }
  const spent = await deps.budgets.spend([use])
  if (spent !== null) throw new ProblemError('account.code_locked', [], spent.waitSeconds)
  const { kind, code } = parseSecondFactorCode(typed)
  const path = kind === 'backup' && allowBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
  throwTranslatedAuthError(await deps.auth.call({ ...caller, method: 'POST', path, body: { code } }))
  await deps.budgets.clear(use)
}
