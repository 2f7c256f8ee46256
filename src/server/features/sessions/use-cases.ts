import { createHash } from 'node:crypto'
import { PROBLEMS, type ProblemCode } from '#contract/problem.ts'
import type { Owner, SessionResponse, SignInResponse } from '#contract/sessions.ts'
import { parseSecondFactorCode } from '#core/account/second-factor-code.ts'
import type { AccountNotice, Auth, AuthAnswer, AuthUser } from '#server/platform/auth/auth.ts'
import type { Caller } from '#server/platform/auth/caller.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { ACCOUNT_MAIL } from './jobs.ts'

export type SessionsDeps = {
  readonly auth: Auth
  /** Sign-ups and sign-ins per minute and client address. */
  readonly attemptsPerMinute: number
}

/** The field that a refusal is about. */
const FIELDS: { readonly [code in ProblemCode]?: string } = {
  'account.wrong_code': 'code',
  'account.wrong_password': 'password',
}

/** How long the account library refuses all codes after ten wrong ones. */
const CODE_LOCK_SECONDS = 15 * 60

/** The library's refusals in our words; whatever is not listed is a fault of ours. */
const REFUSALS: Readonly<Record<string, ProblemCode>> = {
  INVALID_PASSWORD: 'account.wrong_password',
  TOTP_ALREADY_ENABLED: 'account.two_factor_on',
  TOTP_NOT_ENABLED: 'account.two_factor_off',
  TWO_FACTOR_NOT_ENABLED: 'account.two_factor_off',
  BACKUP_CODES_NOT_ENABLED: 'account.two_factor_off',
  INVALID_EMAIL_OR_PASSWORD: 'auth.invalid_credentials',
  EMAIL_NOT_VERIFIED: 'auth.email_not_verified',
  INVALID_TOKEN: 'auth.invalid_token',
  TOKEN_EXPIRED: 'auth.invalid_token',
  USER_NOT_FOUND: 'auth.invalid_token',
  INVALID_EMAIL: 'auth.invalid_email',
  PASSWORD_TOO_SHORT: 'auth.password_too_short',
  PASSWORD_TOO_LONG: 'auth.password_too_long',
  INVALID_CODE: 'account.wrong_code',
  INVALID_BACKUP_CODE: 'account.wrong_code',
  // Two requests with the same backup code at the same moment: it was good for one of them.
  FAILED_TO_VERIFY_BACKUP_CODE_PLEASE_TRY_AGAIN: 'account.wrong_code',
  INVALID_TWO_FACTOR_COOKIE: 'auth.second_factor_expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'auth.second_factor_expired',
  ACCOUNT_TEMPORARILY_LOCKED: 'account.code_locked',
  INVALID_ORIGIN: 'request.cross_site',
  MISSING_OR_NULL_ORIGIN: 'request.cross_site',
}

/**
 * Registers an owner. The answer is the same when the address has an account; its owner is told by e-mail.
 * @throws ProblemError `request.too_many`, `request.cross_site`
 */
export async function signUp(
  deps: SessionsDeps,
  caller: Caller,
  input: { fullName: string; email: string; password: string },
): Promise<void> {
  const [firstName = '', ...rest] = input.fullName.split(/\s+/)
  const body = {
    name: input.fullName,
    firstName,
    lastName: rest.join(' '),
    email: input.email,
    password: input.password,
  }
  const call = () => deps.auth.call({ ...caller, method: 'POST', path: '/sign-up/email', body })
  const answer = await call()
  // The address was registered by somebody else at this very moment: now it is known, and answered as such.
  refuseAnswer(answer.errorCode === 'FAILED_TO_CREATE_USER' ? await call() : answer)
}

/**
 * Signs in with a new session, which takes the place of the one that this browser had. With a second factor there is
 * none yet: the cookies only allow to send the code.
 * @throws ProblemError `auth.invalid_credentials`, `auth.email_not_verified`, `request.too_many`
 */
export async function signIn(
  deps: SessionsDeps,
  caller: Caller,
  input: { email: string; password: string },
): Promise<{ session: SignInResponse; cookies: readonly string[] }> {
  // Not the address itself: what strangers type is not kept.
  const key = `sign-in:${createHash('sha256').update(input.email).digest('base64url')}`
  // Several times what one client may do: a stranger must not lock an owner out with a handful of guesses.
  const max = deps.attemptsPerMinute * 3
  const waitSeconds = await deps.auth.takeAttempt(key, { max, windowSeconds: 60 })
  if (waitSeconds !== null) throw new ProblemError('request.too_many', [], waitSeconds)
  const answer = await deps.auth.call({ ...caller, method: 'POST', path: '/sign-in/email', body: input })
  refuseAnswer(answer)
  await deps.auth.forgetAttempts(key)
  await endReplacedSession(deps, caller)
  const { cookies } = answer
  if (isChallenge(answer.body)) return { session: { user: null, two_factor_required: true }, cookies }
  const { session } = await getSession(deps, toCookieHeader(cookies))
  return { session, cookies }
}

/**
 * The second step of signing in: a code of the app or a backup code gives the session. Wrong ones are counted by the
 * account library, five for one sign-in and ten in a row for the account.
 * @throws ProblemError `account.wrong_code`, `account.code_locked`, `auth.second_factor_expired`, `request.too_many`
 */
export async function completeSignIn(
  deps: SessionsDeps,
  caller: Caller,
  input: { code: string; trust_device: boolean },
): Promise<{ session: SessionResponse; cookies: readonly string[] }> {
  const { kind, code } = parseSecondFactorCode(input.code)
  const answer = await deps.auth.call({
    ...caller,
    // A session that is still there is not asked about: the code is for the account whose password was just right.
    cookie: withoutSession(caller.cookie),
    method: 'POST',
    path: kind === 'app' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code',
    body: { code, trustDevice: input.trust_device },
  })
  refuseAnswer(answer)
  await endReplacedSession(deps, caller)
  const { session } = await getSession(deps, toCookieHeader(answer.cookies))
  return { session, cookies: answer.cookies }
}

/**
 * Ends the session whose cookie is about to be overwritten: nobody could use it any more, and it would be listed as a
 * device of its own. A refusal is no reason to keep somebody out who has just shown that it is them.
 */
async function endReplacedSession(deps: SessionsDeps, caller: Caller): Promise<void> {
  if (caller.cookie === withoutSession(caller.cookie)) return
  await deps.auth.call({ ...caller, method: 'POST', path: '/sign-out', body: {} })
}

/** Ends the session; without one it does nothing. */
export async function signOut(deps: SessionsDeps, caller: Caller): Promise<readonly string[]> {
  const answer = await deps.auth.call({ ...caller, method: 'POST', path: '/sign-out', body: {} })
  refuseAnswer(answer)
  return answer.cookies
}

/** Who is signed in, or nobody. Prolongs a session that is used. */
export async function getSession(
  deps: SessionsDeps,
  cookie: string | undefined,
): Promise<{ session: SessionResponse; cookies: readonly string[] }> {
  const found = await deps.auth.findSession(cookie, true)
  return { session: { user: found === null ? null : toOwner(found.user) }, cookies: found?.cookies ?? [] }
}

/** Sends a reset link when the address has an account; the answer never tells. */
export async function requestPasswordReset(deps: SessionsDeps, caller: Caller, email: string): Promise<void> {
  refuseAnswer(
    await deps.auth.call({ ...caller, method: 'POST', path: '/request-password-reset', body: { email } }),
  )
}

/**
 * Sets a new password by a link from a mail and signs out everywhere.
 * @throws ProblemError `auth.invalid_token`
 */
export async function resetPassword(
  deps: SessionsDeps,
  caller: Caller,
  input: { token: string; password: string },
): Promise<void> {
  const body = { token: input.token, newPassword: input.password }
  refuseAnswer(await deps.auth.call({ ...caller, method: 'POST', path: '/reset-password', body }))
}

/**
 * Confirms an address by a link from a mail. Nobody is signed in by it: a link could have been asked for by somebody
 * else, with a password of theirs.
 * @throws ProblemError `auth.invalid_token`
 */
export async function confirmAddress(deps: SessionsDeps, caller: Caller, token: string): Promise<void> {
  const path = `/verify-email?token=${encodeURIComponent(token)}`
  refuseAnswer(await deps.auth.call({ ...caller, method: 'GET', path }))
}

/** Tells an owner by mail what happened to their account, exactly if the transaction happens. */
export async function queueAccountNotice(
  { jobs }: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  { fullName, email }: Pick<AuthUser, 'fullName' | 'email'>,
  kind: AccountNotice,
): Promise<void> {
  await jobs.insert(trx, ACCOUNT_MAIL, [{ kind, name: fullName, email }])
}

/**
 * Turns a refusal of the account library into ours.
 * @throws ProblemError
 */
export function refuseAnswer(answer: AuthAnswer): void {
  if (answer.errorCode === null) return
  const code = REFUSALS[answer.errorCode] ?? (answer.status === 429 ? 'request.too_many' : undefined)
  if (code === undefined) throw new Error(`The account library answered ${answer.status} ${answer.errorCode}`)
  const field = FIELDS[code]
  const fields = field === undefined ? [] : [{ path: field, message: PROBLEMS[code].title }]
  const waitSeconds = code === 'account.code_locked' ? CODE_LOCK_SECONDS : answer.retryAfterSeconds
  throw new ProblemError(code, fields, waitSeconds)
}

/** Whether the password was right and the code is asked for next. */
function isChallenge(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'twoFactorRedirect' in body
}

function withoutSession(cookie: string | undefined): string | undefined {
  return cookie
    ?.split(/; */)
    .filter((pair) => !/^[^=]*session_token=/.test(pair))
    .join('; ')
}

/** The cookies that an answer sets, as a browser would send them back. */
function toCookieHeader(setCookies: readonly string[]): string {
  return setCookies.map((cookie) => cookie.split(';', 1)[0]).join('; ')
}

function toOwner(user: AuthUser): Owner {
  return {
    id: user.id,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    full_name: user.fullName,
    avatar_url: user.avatarUrl,
  }
}
