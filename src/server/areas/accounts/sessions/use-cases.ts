import { PROBLEMS, type ProblemCode } from '#contract/problem.ts'
import type { Owner, SessionResponse, SignInResponse } from '#contract/sessions.ts'
import { parseSecondFactorCode } from '#core/account/second-factor-code.ts'
import type { AccountNotice, AuthAnswer, AuthUser } from '#server/platform/auth/auth.ts'
import type { Caller } from '#server/platform/auth/caller.ts'
import { refuseIfSpent } from '#server/platform/budgets/refuse-spent.ts'
import { spendForClient } from '#server/platform/budgets/spend-for-client.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { checkPassword } from './check-password.ts'
import type { SessionsDeps } from './deps.ts'
import { ACCOUNT_MAIL } from './jobs.ts'

/** The field that a refusal is about. */
const FIELDS: { readonly [code in ProblemCode]?: string } = {
  'account.wrong_code': 'code',
  'account.wrong_password': 'password',
}

/** The library's refusals and ours. Any other error is a fault of our own. */
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
  // Two windows sent a backup code at the same moment: it was valid for one of them. The library has no code for that.
  HTTP_409: 'account.wrong_code',
  INVALID_TWO_FACTOR_COOKIE: 'auth.second_factor_expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'auth.second_factor_expired',
  ACCOUNT_TEMPORARILY_LOCKED: 'account.code_locked',
  SECOND_FACTOR_UNREADABLE: 'account.second_factor_unreadable',
  INVALID_ORIGIN: 'request.cross_site',
  MISSING_OR_NULL_ORIGIN: 'request.cross_site',
}

/**
 * Logs in with a new session, which replaces the earlier one of this browser. With a second factor there is none yet:
 * the cookies only allow sending the code. Source: rule U17.
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
  throwAuthRefusal(answer)
  await endReplacedSession(deps, caller)
  const { cookies } = answer
  if (isChallenge(answer.body)) return { session: { user: null, two_factor_required: true }, cookies }
  return rememberDevice(deps, caller, cookies)
}

/**
 * The second step of a login: a code of the app or a backup code gives the session. Each code is counted before it is
 * checked: five for one login, ten in a row for the account. Source: rules U18 and U25.
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
    // A remaining session is ignored: the code is for the account whose password was just right.
    cookie: withoutSession(caller.cookie),
    method: 'POST',
    path: kind === 'app' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code',
    body: { code, trustDevice: input.trust_device },
  })
  throwAuthRefusal(answer)
  await endReplacedSession(deps, caller)
  const completed = await rememberDevice(deps, caller, answer.cookies)
  const { user } = completed.session
  if (user !== null) await forgetCodes(deps, caller, user.id)
  return completed
}

/** Clears the count of codes where it was counted: the last one was right. */
function forgetCodes({ budgets, devices }: SessionsDeps, { cookie }: Caller, userId: string): Promise<void> {
  const device = devices.read(cookie)
  return budgets.clear(
    devices.knows(device, userId)
      ? { budget: 'login_code_device', subject: `${device.id} ${userId}` }
      : { budget: 'login_code_account', subject: userId },
  )
}

/** The new session, with its cookies and the one by which this device is known from now on. */
async function rememberDevice(
  deps: SessionsDeps,
  caller: Caller,
  cookies: readonly string[],
): Promise<{ session: SessionResponse; cookies: readonly string[] }> {
  const { session } = await getSession(deps, toCookieHeader(cookies))
  if (session.user === null) return { session, cookies }
  const remembered = deps.devices.remember(deps.devices.read(caller.cookie), session.user.id)
  return { session, cookies: [...cookies, remembered] }
}

/**
 * Ends the session whose cookie is about to be overwritten: nobody could use it any more, and the list would show it as
 * a device of its own. A failure does not lock out somebody who has just proven who they are. Source: rule U17.
 */
async function endReplacedSession(deps: Pick<SessionsDeps, 'auth'>, caller: Caller): Promise<void> {
  if (caller.cookie === withoutSession(caller.cookie)) return
  await deps.auth.call({ ...caller, method: 'POST', path: '/sign-out', body: {} })
}

/** Ends the session; without one it does nothing. */
export async function signOut(deps: Pick<SessionsDeps, 'auth'>, caller: Caller): Promise<readonly string[]> {
  const answer = await deps.auth.call({ ...caller, method: 'POST', path: '/sign-out', body: {} })
  throwAuthRefusal(answer)
  return answer.cookies
}

/** Who is logged in, or nobody. It prolongs a session that is used. */
export async function getSession(
  deps: Pick<SessionsDeps, 'auth'>,
  cookie: string | undefined,
): Promise<{ session: SessionResponse; cookies: readonly string[] }> {
  const found = await deps.auth.findSession(cookie, true)
  return { session: { user: found === null ? null : toOwner(found.user) }, cookies: found?.cookies ?? [] }
}

/**
 * Asks for a link to choose a new password. The same work is done whether or not the address has an account.
 * Source: rule U8.
 * @throws ProblemError `request.too_many`
 */
export async function requestPasswordReset(deps: SessionsDeps, caller: Caller, email: string): Promise<void> {
  const { client } = caller
  refuseIfSpent(await spendForClient(deps.budgets, { budget: 'password_resets_client', client }))
  const device = deps.devices.read(caller.cookie)
  await inTransaction(deps.db, (trx) =>
    deps.queueAccountRequest(trx, { kind: 'password_reset', email, client, device }),
  )
}

/**
 * Sets a new password by a link from a mail and signs out everywhere. Source: rule U6.
 * @throws ProblemError `auth.invalid_token`, `request.too_many`
 */
export async function resetPassword(
  deps: SessionsDeps,
  caller: Caller,
  input: { token: string; password: string },
): Promise<void> {
  const { client } = caller
  refuseIfSpent(await spendForClient(deps.budgets, { budget: 'link_checks', client, what: 'password reset' }))
  const body = { token: input.token, newPassword: input.password }
  throwAuthRefusal(await deps.auth.call({ ...caller, method: 'POST', path: '/reset-password', body }))
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
export function throwAuthRefusal(answer: AuthAnswer): void {
  if (answer.errorCode === null) return
  const code = REFUSALS[answer.errorCode] ?? (answer.status === 429 ? 'request.too_many' : undefined)
  if (code === undefined) throw new Error(`The account library answered ${answer.status} ${answer.errorCode}`)
  const field = FIELDS[code]
  const fields = field === undefined ? [] : [{ path: field, message: PROBLEMS[code].title }]
  throw new ProblemError(code, fields, answer.retryAfterSeconds)
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
