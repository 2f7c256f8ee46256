import type { ProblemCode } from '#contract/problem.ts'
import type { Owner, SessionResponse } from '#contract/sessions.ts'
import type { Auth, AuthAnswer, AuthCall, AuthUser } from '#server/platform/auth/auth.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

export type SessionsDeps = {
  readonly auth: Auth
  /** Sign-ups per minute and client address. */
  readonly attemptsPerMinute: number
}

/** Who is calling, as far as sessions care. */
export type Caller = Pick<AuthCall, 'cookie' | 'origin' | 'userAgent' | 'clientAddress'>

/** The library's refusals in our words; whatever is not listed is a fault of ours. */
const REFUSALS: Readonly<Record<string, ProblemCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'auth.invalid_credentials',
  EMAIL_NOT_VERIFIED: 'auth.email_not_verified',
  INVALID_TOKEN: 'auth.invalid_token',
  TOKEN_EXPIRED: 'auth.invalid_token',
  USER_NOT_FOUND: 'auth.invalid_token',
  INVALID_EMAIL: 'auth.invalid_email',
  PASSWORD_TOO_SHORT: 'auth.password_too_short',
  PASSWORD_TOO_LONG: 'auth.password_too_long',
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
  refuse(answer.errorCode === 'FAILED_TO_CREATE_USER' ? await call() : answer)
}

/**
 * Signs in with a new session, whatever session there was before.
 * @throws ProblemError `auth.invalid_credentials`, `auth.email_not_verified`, `request.too_many`
 */
export async function signIn(
  deps: SessionsDeps,
  caller: Caller,
  input: { email: string; password: string },
): Promise<{ session: SessionResponse; cookies: readonly string[] }> {
  const answer = await deps.auth.call({ ...caller, method: 'POST', path: '/sign-in/email', body: input })
  refuse(answer)
  const { session } = await getSession(deps, toCookieHeader(answer.cookies))
  return { session, cookies: answer.cookies }
}

/** Ends the session; without one it does nothing. */
export async function signOut(deps: SessionsDeps, caller: Caller): Promise<readonly string[]> {
  const answer = await deps.auth.call({ ...caller, method: 'POST', path: '/sign-out', body: {} })
  refuse(answer)
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
  refuse(
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
  refuse(await deps.auth.call({ ...caller, method: 'POST', path: '/reset-password', body }))
}

/**
 * Confirms an address by a link from a mail. Nobody is signed in by it: a link could have been asked for by somebody
 * else, with a password of theirs.
 * @throws ProblemError `auth.invalid_token`
 */
export async function confirmAddress(deps: SessionsDeps, caller: Caller, token: string): Promise<void> {
  const path = `/verify-email?token=${encodeURIComponent(token)}`
  refuse(await deps.auth.call({ ...caller, method: 'GET', path }))
}

function refuse(answer: AuthAnswer): void {
  if (answer.errorCode === null) return
  if (answer.status === 429) throw new ProblemError('request.too_many')
  const code = REFUSALS[answer.errorCode]
  if (code === undefined) throw new Error(`The account library answered ${answer.status} ${answer.errorCode}`)
  throw new ProblemError(code)
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
