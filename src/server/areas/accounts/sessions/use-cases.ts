import type { Owner, SessionResponse, SignInResponse } from '#contract/accounts/sessions.ts'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { parseSecondFactorCode } from '#core/accounts/second-factor-code.ts'
import type { AccountMailRequest } from '#server/platform/auth/account-mail-request.ts'
import type { AccountNotice, AuthResponse, AuthUser } from '#server/platform/auth/auth.ts'
import type { Caller } from '#server/platform/auth/caller.ts'
import { PASSWORD_NEEDED, PROVEN_SIGN_IN_PATH } from '#server/platform/auth/proven-sign-in.ts'
import { refuseIfOverBudget } from '#server/platform/budgets/budgets.ts'
import {
  type AccountMailBudgetDeps,
  spendAccountMailBudget,
} from '#server/platform/budgets/spend-account-mail-budget.ts'
import { spendClientBudget } from '#server/platform/budgets/spend-client-budget.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { checkPassword } from './check-password.ts'
import type { SessionsDeps } from './deps.ts'
import { ACCOUNT_MAIL_JOB } from './jobs.ts'
import { findUserId } from './repository.ts'

/** The form fields at which refusals are shown. */
const FIELDS: { readonly [code in ProblemCode]?: string } = {
  'account.wrong_code': 'code',
  'account.wrong_password': 'password',
}

/** Maps the account library's errors to our refusals. Any other error is a bug. */
const REFUSALS: Readonly<Record<string, ProblemCode>> = {
  INVALID_PASSWORD: 'account.wrong_password',
  TOTP_ALREADY_ENABLED: 'account.two_factor_on',
  TOTP_NOT_ENABLED: 'account.two_factor_off',
  TWO_FACTOR_NOT_ENABLED: 'account.two_factor_off',
  BACKUP_CODES_NOT_ENABLED: 'account.two_factor_off',
  INVALID_EMAIL_OR_PASSWORD: 'auth.invalid_credentials',
  INVALID_TOKEN: 'auth.invalid_token',
  USER_NOT_FOUND: 'auth.invalid_token',
  PASSWORD_TOO_SHORT: 'auth.password_too_short',
  PASSWORD_TOO_LONG: 'auth.password_too_long',
  INVALID_CODE: 'account.wrong_code',
  INVALID_BACKUP_CODE: 'account.wrong_code',
  // Two windows have sent the same backup code at once, and it was valid for only one of them. The library has no error
  // code for that.
  HTTP_409: 'account.wrong_code',
  INVALID_TWO_FACTOR_COOKIE: 'auth.second_factor_expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'auth.second_factor_expired',
  ACCOUNT_TEMPORARILY_LOCKED: 'account.code_locked',
  SECOND_FACTOR_UNREADABLE: 'account.second_factor_unreadable',
  INVALID_ORIGIN: 'request.cross_site',
  MISSING_OR_NULL_ORIGIN: 'request.cross_site',
}

/**
 * Logs in and replaces the browser's earlier session. If the account has a second factor, no session exists yet: the
 * cookies only allow sending the code. Source: rule U17.
 * @throws ProblemError `auth.invalid_credentials`, `auth.email_not_verified`, `request.too_many`
 */
export async function signIn(
  deps: SessionsDeps,
  caller: Caller,
  input: { email: string; password: string },
): Promise<{ session: SignInResponse; cookies: readonly string[] }> {
  const provenHash = await checkPassword(deps, caller, input)
  const answer = await deps.auth.call({
    ...caller,
    method: 'POST',
    path: '/sign-in/email',
    body: input,
    provenHash,
  })
  throwTranslatedAuthError(answer)
  await endReplacedSession(deps, caller)
  const { cookies } = answer
  if (isChallenge(answer.body)) return { session: { user: null, two_factor_required: true }, cookies }
  return rememberDevice(deps, caller, cookies)
}

/**
 * Completes a login with a code of the authenticator app or a backup code. Each code is counted before it is checked:
 * five per login, ten in a row per account. Source: rules U18 and U25.
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
    // Ignore an existing session: the code belongs to the account whose password was just verified.
    cookie: withoutSession(caller.cookie),
    method: 'POST',
    path: kind === 'app' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code',
    body: { code, trustDevice: input.trust_device },
  })
  throwTranslatedAuthError(answer)
  await endReplacedSession(deps, caller)
  const completed = await rememberDevice(deps, caller, answer.cookies)
  const { user } = completed.session
  if (user !== null) await forgetCodes(deps, caller, user.id)
  return completed
}

/**
 * Logs in the owner of an account without a password. The caller has made sure that this is the owner. An account with a
 * second factor is not logged in: the session has no user.
 */
export async function signInProvenOwner(
  deps: Pick<SessionsDeps, 'auth' | 'devices'>,
  caller: Caller,
  userId: string,
): Promise<{ session: SessionResponse; cookies: readonly string[] }> {
  const answer = await deps.auth.call({
    ...caller,
    // Nobody is logged in. With any cookie, the library would require an Origin header, which only browsers send.
    cookie: undefined,
    method: 'POST',
    path: PROVEN_SIGN_IN_PATH,
    body: {},
    provenUserId: userId,
  })
  if (answer.errorCode === PASSWORD_NEEDED) return { session: { user: null }, cookies: [] }
  throwTranslatedAuthError(answer)
  return rememberDevice(deps, caller, answer.cookies)
}

/** Resets the count of wrong codes after a correct one. */
function forgetCodes({ budgets, devices }: SessionsDeps, { cookie }: Caller, userId: string): Promise<void> {
  const device = devices.read(cookie)
  return budgets.clear(
    devices.knows(device, userId)
      ? { budget: 'login_code_device', subject: `${device.id} ${userId}` }
      : { budget: 'login_code_account', subject: userId },
  )
}

/** Returns the new session with its cookies, including the cookie that makes this a known device. */
async function rememberDevice(
  deps: Pick<SessionsDeps, 'auth' | 'devices'>,
  caller: Caller,
  cookies: readonly string[],
): Promise<{ session: SessionResponse; cookies: readonly string[] }> {
  const { session } = await getSession(deps, toCookieHeader(cookies))
  if (session.user === null) return { session, cookies }
  const remembered = deps.devices.remember(deps.devices.read(caller.cookie), session.user.id)
  return { session, cookies: [...cookies, remembered] }
}

/**
 * Ends the session whose cookie is about to be overwritten: nobody could use it any longer, but the list of sessions
 * would still show it as a device. A failure does not stop the login. Source: rule U17.
 */
async function endReplacedSession(deps: Pick<SessionsDeps, 'auth'>, caller: Caller): Promise<void> {
  if (caller.cookie === withoutSession(caller.cookie)) return
  await deps.auth.call({ ...caller, method: 'POST', path: '/sign-out', body: {} })
}

/** Ends the current session, if any. */
export async function signOut(deps: Pick<SessionsDeps, 'auth'>, caller: Caller): Promise<readonly string[]> {
  const answer = await deps.auth.call({ ...caller, method: 'POST', path: '/sign-out', body: {} })
  throwTranslatedAuthError(answer)
  return answer.cookies
}

/** Returns the logged-in owner, or null when nobody is logged in. Extends the session. */
export async function getSession(
  deps: Pick<SessionsDeps, 'auth'>,
  cookie: string | undefined,
): Promise<{ session: SessionResponse; cookies: readonly string[] }> {
  const found = await deps.auth.findSession(cookie, true)
  return { session: { user: found === null ? null : toOwner(found.user) }, cookies: found?.cookies ?? [] }
}

/**
 * Requests a password reset link. The work is the same whether or not the email address has an account. Source: rule
 * U8.
 * @throws ProblemError `request.too_many`
 */
export async function requestPasswordReset(deps: SessionsDeps, caller: Caller, email: string): Promise<void> {
  const { client } = caller
  refuseIfOverBudget(await spendClientBudget(deps.budgets, { budget: 'password_resets_client', client }))
  const device = deps.devices.read(caller.cookie)
  await inTransaction(deps.db, (trx) =>
    deps.queueAccountMailRequest(trx, { kind: 'password_reset', email, client, device }),
  )
}

/**
 * Sets a new password with a link from an email, and signs out everywhere. Source: rule U6.
 * @throws ProblemError `auth.invalid_token`, `request.too_many`
 */
export async function resetPassword(
  deps: SessionsDeps,
  caller: Caller,
  input: { token: string; password: string },
): Promise<void> {
  const { client } = caller
  refuseIfOverBudget(
    await spendClientBudget(deps.budgets, { budget: 'link_checks', client, what: 'password reset' }),
  )
  const body = { token: input.token, newPassword: input.password }
  throwTranslatedAuthError(await deps.auth.call({ ...caller, method: 'POST', path: '/reset-password', body }))
}

/** Queues an email about an account change. It is sent only if the caller's transaction commits. */
export async function queueAccountNotice(
  { jobs }: { readonly jobs: Pick<JobQueue, 'insert'> },
  trx: Trx,
  { fullName, email }: Pick<AuthUser, 'fullName' | 'email'>,
  kind: AccountNotice,
): Promise<void> {
  await jobs.insert(trx, ACCOUNT_MAIL_JOB, [{ kind, name: fullName, email }])
}

/**
 * Translates an error from the account library into one of our refusals, and throws it.
 * @throws ProblemError
 */
export function throwTranslatedAuthError(answer: AuthResponse): void {
  if (answer.errorCode === null) return
  const code = REFUSALS[answer.errorCode] ?? (answer.status === 429 ? 'request.too_many' : undefined)
  if (code === undefined) throw new Error(`The account library answered ${answer.status} ${answer.errorCode}`)
  const field = FIELDS[code]
  const fields = field === undefined ? [] : [{ path: field, message: PROBLEMS[code].title }]
  throw new ProblemError(code, fields, answer.retryAfterSeconds)
}

/** True when the password was correct and a code is required next. */
function isChallenge(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'twoFactorRedirect' in body
}

function withoutSession(cookie: string | undefined): string | undefined {
  return cookie
    ?.split(/; */)
    .filter((pair) => !/^[^=]*session_token=/.test(pair))
    .join('; ')
}

/** Returns the cookies that a response sets, in the form in which a browser would send them back. */
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

/**
 * Emails a password reset link if the email address has an account and its email limit is not exceeded. A known device
 * has its own limit, so strangers cannot block the owner from getting a link. Source: rule U27.
 */
export async function sendPasswordResetLink(
  deps: AccountMailBudgetDeps & Pick<SessionsDeps, 'db' | 'auth' | 'devices'>,
  { email, client, device }: AccountMailRequest & { kind: 'password_reset' },
): Promise<void> {
  const isWanted = await inTransaction(deps.db, async (trx) => {
    const userId = await findUserId(trx, email)
    if (userId === null) return false
    if (!deps.devices.knows(device, userId)) {
      return spendAccountMailBudget(deps, trx, { client, recipient: email })
    }
    const own = { budget: 'email_account_device', subject: `${device.id} ${userId}` } as const
    return (await deps.budgets.spend([own], trx)) === null
  })
  if (!isWanted) return
  const caller = { cookie: undefined, origin: undefined, userAgent: undefined, client }
  const path = '/request-password-reset'
  throwTranslatedAuthError(await deps.auth.call({ ...caller, method: 'POST', path, body: { email } }))
}
