import { createHmac } from 'node:crypto'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { Db } from '#server/platform/db/database.ts'

/** How long the app shows one code. */
const STEP_MS = 30_000
/**
 * The account library takes the code of the step before, of this one and of the next. One more, as a step may begin
 * between this look and the library's.
 */
const FIRST_STEP = -1
const LAST_STEP = 2

type CodeContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * Lets each code of an app be good once, whether for signing in or as a proof: the account library takes the same one
 * for a minute and a half. Source: RFC 6238 §5.2. Runs before the library looks at the code and refuses as it does; a
 * code that no step has is left to the library, which counts it.
 */
export function refuseUsedCodes(db: Db) {
  return createAuthMiddleware(async (ctx) => {
    const code: unknown = ctx.body?.code
    if (ctx.path !== '/two-factor/verify-totp' || typeof code !== 'string') return
    const userId = await findUserId(ctx)
    const secret = userId === null ? null : await findSecret(db, userId)
    if (userId === null || secret === null) return
    const step = findStep(await symmetricDecrypt({ key: ctx.context.secretConfig, data: secret }), code)
    if (step !== null && !(await takeStep(db, { userId, secret, step }))) {
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'This code was used' })
    }
  })
}

/** Whose code the library will ask for: who is signed in, or else whose password was right just now. */
async function findUserId(ctx: CodeContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx)
  if (session !== null) return session.user.id
  const { name } = ctx.context.createAuthCookie('two_factor')
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
  if (!challenge) return null
  return (await ctx.context.internalAdapter.findVerificationValue(challenge))?.value ?? null
}

async function findSecret(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('two_factors')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.secret ?? null
}

/** Takes the step and all before it; false when it was taken already. Of requests at the same moment one gets it. */
async function takeStep(
  db: Db,
  { userId, secret, step }: { userId: string; secret: string; step: number },
): Promise<boolean> {
  const result = await db
    .updateTable('two_factors')
    .set({ last_used_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', secret)
    .where((eb) => eb.or([eb('last_used_step', 'is', null), eb('last_used_step', '<', String(step))]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The last step around now in which the app shows this code. */
function findStep(secret: string, code: string): number | null {
  const current = Math.floor(Date.now() / STEP_MS)
  for (let offset = LAST_STEP; offset >= FIRST_STEP; offset -= 1) {
    if (codeOfStep(secret, current + offset) === code) return current + offset
  }
  return null
}

/** Source: RFC 4226 §5.3, six digits. */
function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}
