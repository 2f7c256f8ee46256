import { createHmac } from 'node:crypto'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import { z } from 'zod'
import type { Budgets, BudgetUse } from '#server/platform/budgets/budgets.ts'
import { spendClientBudget } from '#server/platform/budgets/spend-client-budget.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Client } from '#server/platform/http/client-of-request.ts'
import type { Log } from '#server/platform/log.ts'
import type { KnownDevices } from './known-devices.ts'

/** How long the authenticator app shows one code, in milliseconds. */
const STEP_MS = 30_000
/**
 * First time step whose code is accepted, relative to the current step. better-auth accepts the codes of the previous,
 * current and next step. We accept one step more, because a step can begin between our check and the library's.
 */
const FIRST_STEP = -1
const LAST_STEP = 2

type CodeContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

type CheckCodesOptions = {
  readonly db: Db
  readonly budgets: Budgets
  readonly devices: KnownDevices
  readonly log: Pick<Log, 'error'>
  /** Returns the client that sent the code. */
  readonly findClient: () => Client | null
  /** Called with the seconds to wait when a rate limit is exceeded. */
  readonly onSpent: (waitSeconds: number) => void
}

/**
 * The account whose code better-auth is about to check. `challenge` identifies the pending login; it is null for a
 * logged-in owner.
 */
type Asker = { readonly userId: string; readonly challenge: string | null }

const storedCodes = z.array(z.string())

/**
 * Counts and checks each code before better-auth does. The library counts wrong codes only afterwards, so of 500
 * simultaneous codes it would check dozens. A code that fails here never reaches the library. Codes of logged-in owners
 * are counted by `proveCode`. Each app code can be used once; the library would accept it for 90 seconds. Source: RFC
 * 6238 §5.2; rules U25 and U29.
 */
export function buildCodeCheck({ db, log, ...options }: CheckCodesOptions) {
  return createAuthMiddleware(async (ctx) => {
    const check = CHECKS[ctx.path]
    const code: unknown = ctx.body?.code
    if (check === undefined || typeof code !== 'string') return
    const asker = await findAsker(ctx)
    const stored = asker === null ? null : await findAuthenticator(db, asker.userId)
    // Without a login or a stored secret, better-auth itself returns the error.
    if (asker === null || stored === null) return
    await countCode(options, asker, ctx.headers?.get('cookie') ?? undefined)
    await check({ ctx, db, log, code, stored })
  })
}

type Check = (input: {
  readonly ctx: CodeContext
  readonly db: Db
  readonly log: Pick<Log, 'error'>
  readonly code: string
  readonly stored: Authenticator
}) => Promise<void>

/** Checks by the library's request path. Each throws the library's error for a wrong code. */
const CHECKS: { readonly [path: string]: Check | undefined } = {
  '/two-factor/verify-totp': async ({ ctx, db, log, code, stored }) => {
    const step = findStep(await decrypt(ctx, log, stored.secret), code)
    if (step === null || !(await consumeTimeStep(db, stored, step)))
      throw refusal('UNAUTHORIZED', 'INVALID_CODE')
  },
  // better-auth itself consumes the backup code, in one statement.
  '/two-factor/verify-backup-code': async ({ ctx, log, code, stored }) => {
    const codes = storedCodes.parse(JSON.parse(await decrypt(ctx, log, stored.backup_codes)))
    if (!codes.includes(code)) throw refusal('UNAUTHORIZED', 'INVALID_BACKUP_CODE')
  },
}

/**
 * Counts a login code against the limits of the login, the account and the client. A known device has its own limit
 * instead, so that somebody who knows the password cannot lock the owner out on that device.
 * @throws APIError when any limit is exceeded
 */
async function countCode(
  { budgets, devices, findClient, onSpent }: Omit<CheckCodesOptions, 'db' | 'log'>,
  { userId, challenge }: Asker,
  cookie: string | undefined,
): Promise<void> {
  if (challenge === null) return
  const client = findClient()
  if (client === null) throw new Error('a code came without a client')
  const device = devices.read(cookie)
  const ofLogin: BudgetUse = { budget: 'login_code_challenge', subject: challenge }
  const spent = devices.knows(device, userId)
    ? await budgets.spend([ofLogin, { budget: 'login_code_device', subject: `${device.id} ${userId}` }])
    : ((await spendClientBudget(budgets, { budget: 'login_code_client', client })) ??
      (await budgets.spend([ofLogin, { budget: 'login_code_account', subject: userId }])))
  if (spent === null) return
  if (spent.budget === 'login_code_challenge') {
    throw refusal('UNAUTHORIZED', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE')
  }
  onSpent(spent.waitSeconds)
  const isOfClient = spent.budget === 'login_code_client'
  throw refusal('TOO_MANY_REQUESTS', isOfClient ? 'TOO_MANY_CODES_OF_CLIENT' : 'ACCOUNT_TEMPORARILY_LOCKED')
}

/** Builds a refusal, with better-auth's own error code where one exists. */
function refusal(status: 'UNAUTHORIZED' | 'TOO_MANY_REQUESTS' | 'CONFLICT', code: string): APIError {
  return new APIError(status, { code, message: code })
}

async function findAsker(ctx: CodeContext): Promise<Asker | null> {
  const session = await getSessionFromCtx(ctx)
  if (session !== null) return { userId: session.user.id, challenge: null }
  const { name } = ctx.context.createAuthCookie('two_factor')
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
  if (!challenge) return null
  const waiting = await ctx.context.internalAdapter.findVerificationValue(challenge)
  return waiting === null ? null : { userId: waiting.value, challenge }
}

/** The stored secret and backup codes of an owner. */
type Authenticator = { readonly userId: string; readonly secret: string; readonly backup_codes: string }

async function findAuthenticator(db: Db, userId: string): Promise<Authenticator | null> {
  const row = await db
    .selectFrom('two_factors')
    .select(['secret', 'backup_codes'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? null : { userId, ...row }
}

/**
 * Decrypts a stored value.
 * @throws APIError when the value was encrypted with a different SECRET_KEY. Source: rule D18
 */
async function decrypt(ctx: CodeContext, log: Pick<Log, 'error'>, stored: string): Promise<string> {
  try {
    return await symmetricDecrypt({ key: ctx.context.secretConfig, data: stored })
  } catch (err) {
    log.error(
      { err },
      'a second factor cannot be decrypted: npm run operator -- accept-lost-key turns it off',
    )
    throw refusal('CONFLICT', 'SECOND_FACTOR_UNREADABLE')
  }
}

/**
 * Marks the time step and all earlier ones as used; returns false when the step was already used. Of concurrent
 * requests, only one succeeds.
 */
async function consumeTimeStep(db: Db, { userId, secret }: Authenticator, step: number): Promise<boolean> {
  const result = await db
    .updateTable('two_factors')
    .set({ last_used_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', secret)
    .where((eb) => eb.or([eb('last_used_step', 'is', null), eb('last_used_step', '<', String(step))]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Finds the latest time step around now that shows this code. */
function findStep(secret: string, code: string): number | null {
  const current = Math.floor(Date.now() / STEP_MS)
  for (let offset = LAST_STEP; offset >= FIRST_STEP; offset -= 1) {
    if (codeOfStep(secret, current + offset) === code) return current + offset
  }
  return null
}

/** Computes the six-digit code of a time step. Source: RFC 4226 §5.3. */
function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}
