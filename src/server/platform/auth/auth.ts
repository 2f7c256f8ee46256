import { AsyncLocalStorage } from 'node:async_hooks'
import { randomInt, randomUUID } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { hashPassword, makeSignature, verifyPassword } from 'better-auth/crypto'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { sql } from 'kysely'
import { RETENTION_DAYS, RETENTION_MINUTES } from '#contract/shared/retention.ts'
import { makeBackupCodes } from '#core/accounts/second-factor-code.ts'
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '#core/shared/duration.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import type { Log } from '#server/platform/log.ts'
import type { SecretKeys } from '#server/platform/secrets/secret-keys.ts'
import {
  ACCOUNTS_TABLE,
  SESSIONS_TABLE,
  TWO_FACTORS_TABLE,
  USERS_TABLE,
  VERIFICATIONS_TABLE,
} from './auth-tables.ts'
import { buildCodeCheck } from './check-codes.ts'
import type { KnownDevices } from './known-devices.ts'
import { provenSignIn } from './proven-sign-in.ts'

/** Emails that better-auth triggers. Links are built from BASE_URL, never from the Host header. */
export type AccountMail =
  | { kind: 'address_confirmation'; name: string; email: string; token: string }
  | { kind: 'invitation'; name: string; email: string; invitationId: string }
  | { kind: 'already_registered'; name: string; email: string }
  | { kind: 'password_reset'; name: string; email: string; token: string }
  | { kind: 'address_change'; name: string; email: string; token: string }
  | { kind: 'address_change_notice'; name: string; email: string; newEmail: string }
  | { kind: 'address_change_taken'; name: string; email: string }
  | { kind: 'address_changed'; name: string; email: string; newEmail: string }
  | {
      kind: 'account_deleted'
      name: string
      email: string
      /** True when a paid plan ended because the account was deleted; absent in jobs queued by earlier versions. */
      hadPlan?: boolean
    }
  | { kind: AccountNotice; name: string; email: string }

/** An account change that the owner is notified about, in case somebody else made it. */
export type AccountNotice = 'password_changed' | 'two_factor_on' | 'two_factor_off' | 'backup_codes_replaced'

type AuthOptions = {
  readonly db: Db
  readonly baseUrl: string
  readonly secretKeys: SecretKeys
  /** Additional origins of this installation, for example both names of the loopback address. */
  readonly trustedOrigins: readonly string[]
  readonly budgets: Budgets
  readonly devices: KnownDevices
  readonly log: Log
  readonly queueMail: (mail: AccountMail) => Promise<void>
  readonly verifyPassword?: VerifyPassword | undefined
}

/** True when a password matches a hash. Takes about 100 ms. */
export type VerifyPassword = (pair: { hash: string; password: string }) => Promise<boolean>

export type AuthCall = {
  readonly method: 'GET' | 'POST'
  /** Path below `/api/auth`, including the query. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly cookie: string | undefined
  readonly origin: string | undefined
  readonly userAgent: string | undefined
  readonly client: Client
  /**
   * A hash that has just been verified against the password of this call. It saves a second comparison, which would
   * take about 100 ms.
   */
  readonly provenHash?: string
  /** The account to log in without its password. Its owner was identified by other means. */
  readonly provenUserId?: string
}

export type AuthResponse = {
  readonly status: number
  /** better-auth's error code, for example INVALID_EMAIL_OR_PASSWORD. */
  readonly errorCode: string | null
  /** The response body of better-auth; null for a refusal. */
  readonly body: unknown
  /** Seconds until the next attempt; set when a rate limit was exceeded. */
  readonly retryAfterSeconds: number | undefined
  readonly cookies: readonly string[]
}

export type AuthUser = {
  readonly id: string
  readonly email: string
  readonly fullName: string
  readonly firstName: string
  readonly lastName: string
  readonly avatarUrl: string | null
}

type AuthSession = {
  /** The id that identifies the session; it is not the session's secret token. */
  readonly id: string
  readonly user: AuthUser
  /** Cookies to send to the browser; not empty when the session was extended. */
  readonly cookies: readonly string[]
}

export type Auth = {
  readonly call: (call: AuthCall) => Promise<AuthResponse>
  /**
   * Returns the session that belongs to a cookie. With `prolong`, the session is extended and its new cookie must be
   * sent to the browser.
   */
  readonly findSession: (cookie: string | undefined, prolong: boolean) => Promise<AuthSession | null>
  /**
   * True when this is the person's password. Takes the same time when the person has no password; callers must apply a
   * rate limit.
   */
  readonly verifyPassword: (userId: string, password: string) => Promise<boolean>
  /** True when the password matches the hash. Takes the same time without a hash, and then returns false. */
  readonly fitsHash: (hash: string | null, password: string) => Promise<boolean>
  /** Hashes a password. Takes about 100 ms: never call it within a transaction. */
  readonly hashPassword: (password: string) => Promise<string>
  /** Returns the number of unused backup codes; zero when they cannot be decrypted. */
  readonly countBackupCodes: (userId: string) => Promise<number>
}

/**
 * The state of one call. It collects emails until the library's transaction ends. `hiddenError` keeps an error that the
 * library would replace with its own.
 */
type CallScope = {
  readonly call: AuthCall | null
  readonly mails: AccountMail[]
  hiddenError: Error | undefined
  /** The person whose password this call has reset. Afterwards their other reset links are revoked. Source: rule U6. */
  resetUserId?: string
  /** Seconds until an exceeded rate limit allows another attempt. */
  waitSeconds?: number
}

/**
 * Header that passes the client's address to better-auth for the list of devices. The same header sent by a client is
 * removed.
 */
const CLIENT_ADDRESS_HEADER = 'x-meridian-client-address'

/**
 * Builds accounts and sessions on top of better-auth. Call this after the migrations. The library sends emails from
 * within its own transaction. Because the embedded database has a single connection, the emails of a call are collected
 * and queued after the call.
 */
export function buildAuth(options: AuthOptions): Auth {
  const verify = options.verifyPassword ?? verifyPassword
  const scope = new AsyncLocalStorage<CallScope>()
  const collect = async (mail: AccountMail): Promise<void> => {
    scope.getStore()?.mails.push(mail)
  }
  // Dummy hash that is compared for email addresses without a password. Created on first use, because hashing takes
  // about 100 ms.
  let nobodysHash: Promise<string> | undefined
  const { current, previous } = options.secretKeys
  const withCurrentKey = async (cookie: string): Promise<string> =>
    previous === null ? cookie : signWithCurrentKey(cookie, { current, previous })
  const fitsHash = async (hash: string | null, password: string): Promise<boolean> => {
    nobodysHash ??= hashPassword(randomUUID())
    return (await verify({ hash: hash ?? (await nobodysHash), password })) && hash !== null
  }

  const auth = betterAuth({
    baseURL: options.baseUrl,
    basePath: '/api/auth',
    secret: options.secretKeys.current,
    trustedOrigins: [...options.trustedOrigins],
    database: { db: options.db, type: 'postgres', transaction: true },
    telemetry: { enabled: false },
    logger: {
      log: (level, message, ...details) => {
        const err = details.find((detail) => detail instanceof Error)
        const current = scope.getStore()
        if (current !== undefined) current.hiddenError ??= err
        // Do not log an unreachable database here: the request handler reports it, once.
        const severe = level === 'error' && !isDatabaseUnavailable(err)
        options.log[severe ? 'error' : 'debug']({ from: 'auth', err }, message)
      },
    },
    // Let the library throw unexpected errors instead of responding to them; only its own refusals become responses.
    onAPIError: { throw: true },
    user: USERS_TABLE,
    session: { ...SESSIONS_TABLE, expiresIn: RETENTION_DAYS.session * DAY_SECONDS, updateAge: DAY_SECONDS },
    account: ACCOUNTS_TABLE,
    verification: { ...VERIFICATIONS_TABLE, storeIdentifier: 'hashed' },
    // The use cases enforce our rate limits (core/shared/budgets.ts) before this runs.
    rateLimit: { enabled: false },
    hooks: {
      before: buildCodeCheck({
        db: options.db,
        budgets: options.budgets,
        devices: options.devices,
        log: options.log,
        findClient: () => scope.getStore()?.call?.client ?? null,
        onSpent: (waitSeconds) => {
          const current = scope.getStore()
          if (current !== undefined) current.waitSeconds = waitSeconds
        },
      }),
    },
    plugins: [
      twoFactor({
        issuer: 'Meridian',
        schema: TWO_FACTORS_TABLE,
        twoFactorCookieMaxAge: RETENTION_MINUTES.secondFactor * MINUTE_SECONDS,
        trustDeviceMaxAge: RETENTION_DAYS.trustedDevice * DAY_SECONDS,
        // Turned off, because `buildCodeCheck` counts codes before checking them, which the library does not do.
        accountLockout: { enabled: false },
        backupCodeOptions: { customBackupCodesGenerate: () => makeBackupCodes(randomInt) },
      }),
      provenSignIn(() => scope.getStore()?.call?.provenUserId),
    ],
    emailAndPassword: {
      enabled: true,
      // Accounts are created only after their email address is confirmed (areas/accounts).
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: HOUR_SECONDS,
      onPasswordReset: async ({ user }) => {
        const current = scope.getStore()
        if (current !== undefined) current.resetUserId = user.id
        await collect({ kind: 'password_changed', name: user.name, email: user.email })
      },
      sendResetPassword: ({ user, token }) =>
        collect({ kind: 'password_reset', name: user.name, email: user.email, token }),
      password: {
        hash: hashPassword,
        verify: async (pair) => scope.getStore()?.call?.provenHash === pair.hash || verify(pair),
      },
    },
    advanced: {
      cookiePrefix: 'meridian',
      useSecureCookies: options.baseUrl.startsWith('https:'),
      database: { generateId: () => randomUUID() },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
  })

  return {
    async call(call) {
      const store: CallScope = { call, mails: [], hiddenError: undefined }
      const cookie = call.cookie === undefined ? undefined : await withCurrentKey(call.cookie)
      const request = toRequest(options.baseUrl, { ...call, cookie })
      const response = await scope.run(store, () => auth.handler(request))
      if (!response.ok && isDatabaseUnavailable(store.hiddenError)) throw store.hiddenError
      if (store.resetUserId !== undefined) await forgetResetLinks(options.db, store.resetUserId)
      for (const mail of store.mails) await options.queueMail(mail)
      const body: unknown = await response.json().catch(() => null)
      return {
        status: response.status,
        errorCode: response.ok ? null : errorCodeOf(response.status, body),
        body: response.ok ? body : null,
        retryAfterSeconds: store.waitSeconds,
        cookies: response.headers.getSetCookie(),
      }
    },

    async findSession(cookie, prolong) {
      if (cookie === undefined) return null
      const store: CallScope = { call: null, mails: [], hiddenError: undefined }
      const current = await withCurrentKey(cookie)
      const { headers, response } = await scope
        .run(store, () =>
          auth.api.getSession({
            headers: new Headers({ cookie: current }),
            query: { disableRefresh: !prolong },
            returnHeaders: true,
          }),
        )
        .catch((error) => {
          throw isDatabaseUnavailable(store.hiddenError) ? store.hiddenError : error
        })
      if (response === null) return null
      const { user, session } = response
      recordLastUse(options, session)
      return {
        id: session.id,
        user: {
          id: user.id,
          email: user.email,
          fullName: user.name,
          firstName: user.firstName ?? '',
          lastName: user.lastName ?? '',
          avatarUrl: user.image ?? null,
        },
        cookies: headers.getSetCookie(),
      }
    },

    async verifyPassword(userId, password) {
      return fitsHash(await findPasswordHash(options.db, userId), password)
    },

    fitsHash,

    hashPassword,

    async countBackupCodes(userId) {
      try {
        return (await auth.api.viewBackupCodes({ body: { userId } })).backupCodes.length
      } catch (err) {
        if (isDatabaseUnavailable(err)) throw err
        options.log.error({ err, userId }, 'backup codes cannot be decrypted')
        return 0
      }
    },
  }
}

async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  const account = await db
    .selectFrom('accounts')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return account?.password ?? null
}

/** Revokes this person's unused password reset links. */
async function forgetResetLinks(db: Db, userId: string): Promise<void> {
  await sql`delete from verifications where value = ${userId}`.execute(db)
}

function toRequest(baseUrl: string, call: AuthCall): Request {
  const headers = new Headers({ [CLIENT_ADDRESS_HEADER]: call.client.address })
  if (call.cookie !== undefined) headers.set('cookie', call.cookie)
  if (call.origin !== undefined) headers.set('origin', call.origin)
  if (call.userAgent !== undefined) headers.set('user-agent', call.userAgent)
  if (call.body !== undefined) headers.set('content-type', 'application/json')
  return new Request(`${baseUrl}/api/auth${call.path}`, {
    method: call.method,
    headers,
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  })
}

function errorCodeOf(status: number, body: unknown): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null
  return typeof code === 'string' ? code : `HTTP_${status}`
}

/**
 * Precision of the stored time of a session's last use, in milliseconds: it is written at most this often. Source: rule
 * U23.
 */
const PRECISION_MS = 5 * 60_000

/** Sessions whose last use is currently being written, so that concurrent requests write it once. */
const underWay = new Set<string>()

/**
 * Records that a session was used, without waiting for the write. This costs one small statement per five minutes, and
 * a failure only costs precision. better-auth decides by the expiry whether to extend a session, so `updated_at` is
 * free for this use.
 */
function recordLastUse(
  { db, log }: { readonly db: Db; readonly log: Log },
  session: { readonly id: string; readonly updatedAt: Date },
): void {
  if (Date.now() - session.updatedAt.getTime() < PRECISION_MS || underWay.has(session.id)) return
  underWay.add(session.id)
  sql`update sessions set updated_at = now() where id = ${session.id}`
    .execute(db)
    .catch((err: unknown) => log.debug({ err }, 'last use of a session'))
    .finally(() => underWay.delete(session.id))
}

/** Matches a better-auth cookie: its name, value, and a signature of 32 bytes in base64. */
const SIGNED = /^((?:__Secure-)?meridian\.\w+)=(.+)\.([A-Za-z\d+/]{43}=)$/

/**
 * Re-signs cookies that were signed with the previous key, because better-auth knows only the current key. Other
 * cookies stay unchanged. The browser gets a cookie signed with the current key when its session is extended. Source:
 * rule D16.
 */
async function signWithCurrentKey(
  cookie: string,
  keys: { readonly current: string; readonly previous: string },
): Promise<string> {
  const pairs = cookie.split(/; */).map(async (pair) => {
    const [, name, value, signature] = SIGNED.exec(decode(pair)) ?? []
    if (name === undefined || value === undefined) return pair
    if (signature !== (await makeSignature(value, keys.previous))) return pair
    return `${name}=${encodeURIComponent(`${value}.${await makeSignature(value, keys.current)}`)}`
  })
  return (await Promise.all(pairs)).join('; ')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
