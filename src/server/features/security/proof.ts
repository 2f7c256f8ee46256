import { PROBLEMS } from '#contract/problem.ts'
import { parseSecondFactorCode } from '#core/account/second-factor-code.ts'
import { refuseAnswer } from '#server/features/sessions/use-cases.ts'
import { ACCOUNT_WINDOW_SECONDS, type Auth } from '#server/platform/auth/auth.ts'
import type { Caller } from '#server/platform/auth/caller.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

export type ProofDeps = {
  readonly auth: Auth
  /** As many wrong passwords or codes are taken from one owner in a quarter of an hour. */
  readonly attemptsPerMinute: number
}

/**
 * Whoever changes how one logs in, moves or deletes the account shows again that they know the password: an open
 * window is not enough. What is tried anywhere is counted together.
 * @throws ProblemError `account.wrong_password` about `field`, `request.too_many`
 */
export async function provePassword(
  deps: ProofDeps,
  ownerId: OwnerId,
  { password, field }: { password: string; field: string },
): Promise<void> {
  const key = `password:${ownerId}`
  const waitSeconds = await deps.auth.takeAttempt(key, toLimit(deps))
  if (waitSeconds !== null) throw new ProblemError('request.too_many', [], waitSeconds)
  if (!(await deps.auth.verifyPassword(ownerId, password))) {
    const code = 'account.wrong_password'
    throw new ProblemError(code, [{ path: field, message: PROBLEMS[code].title }])
  }
  await deps.auth.forgetAttempts(key)
}

/**
 * A code of the app or, where `allowBackup`, a backup code, which is used up by it.
 * @throws ProblemError `account.wrong_code`, `account.code_locked`
 */
export async function proveCode(
  deps: ProofDeps,
  caller: Caller,
  ownerId: OwnerId,
  { typed, allowBackup }: { typed: string; allowBackup: boolean },
): Promise<void> {
  // The account library counts wrong codes only while somebody signs in.
  const key = `code:${ownerId}`
  const waitSeconds = await deps.auth.takeAttempt(key, toLimit(deps))
  if (waitSeconds !== null) throw new ProblemError('account.code_locked', [], waitSeconds)
  const { kind, code } = parseSecondFactorCode(typed)
  const path = kind === 'backup' && allowBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
  refuseAnswer(await deps.auth.call({ ...caller, method: 'POST', path, body: { code } }))
  await deps.auth.forgetAttempts(key)
}

function toLimit({ attemptsPerMinute }: ProofDeps) {
  return { max: attemptsPerMinute, windowSeconds: ACCOUNT_WINDOW_SECONDS }
}
