import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { HOUR_SECONDS, SECOND_MS } from '#core/shared/duration.ts'
import {
  hasClientCredentials,
  redeemAuthorizationCode,
  tokenRequestSchema,
} from '#sandbox/calendars/access.ts'
import { faultsOf } from '#sandbox/calendars/calendar-api.ts'
import type { CalendarSandboxContext, TokenHolder } from '#sandbox/calendars/world.ts'
import { addSandboxObject, findSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { MICROSOFT_REFRESH_TOKENS } from './world.ts'

type Grant = Pick<TokenHolder, 'email' | 'scopes'>

/**
 * Registers the endpoint that exchanges codes and refresh tokens for access tokens. Each refresh token is replaced when it is
 * used.
 * Source: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow#redeem-a-code-for-an-access-token
 */
export function registerTokenEndpoint(app: FastifyInstance, world: CalendarSandboxContext): void {
  app.post('/common/oauth2/v2.0/token', async (request, reply) => {
    if (!hasClientCredentials(world, request.body)) {
      return reply.code(401).send(toRefusal('invalid_client', 7_000_215, 'Invalid client secret provided.'))
    }
    const asked = tokenRequestSchema.safeParse(request.body)
    if (!asked.success) {
      return reply.code(400).send(toRefusal('unsupported_grant_type', 70_003, 'Unsupported grant type.'))
    }
    const given =
      asked.data.grant_type === 'refresh_token'
        ? await takeRefreshToken(world, asked.data.refresh_token)
        : await redeemAuthorizationCode(world, asked.data)
    if (given === 'unavailable') {
      return reply.code(503).send(toRefusal('temporarily_unavailable', 90_033, 'A transient error.'))
    }
    if (given === null) {
      return reply
        .code(400)
        .send(toRefusal('invalid_grant', 70_000, 'The grant is expired, revoked, or used already.'))
    }
    return giveAccess(world, given)
  })
}

async function giveAccess({ db, now, accessTokens }: CalendarSandboxContext, { email, scopes }: Grant) {
  const token = `EwB4${randomBytes(32).toString('base64url')}`
  accessTokens.set(token, { email, scopes, expiresAtMs: now() + HOUR_SECONDS * SECOND_MS })
  const refreshToken = `M.C5_BAY.0.U.${randomBytes(32).toString('base64url')}`
  await addSandboxObject(db, MICROSOFT_REFRESH_TOKENS, refreshToken, {
    email,
    scopes: [...scopes],
    isUsed: false,
  })
  return {
    token_type: 'Bearer',
    // Microsoft does not list `offline_access`, the scope of the refresh token.
    scope: scopes.filter((scope) => scope !== 'offline_access').join(' '),
    expires_in: HOUR_SECONDS - 1,
    ext_expires_in: HOUR_SECONDS - 1,
    access_token: token,
    ...(scopes.includes('offline_access') ? { refresh_token: refreshToken } : {}),
  }
}

/** Consumes a refresh token. Returns null when it is unknown, used, or revoked. */
function takeRefreshToken(
  { db }: CalendarSandboxContext,
  token: string,
): Promise<Grant | 'unavailable' | null> {
  return inTransaction(db, async (trx) => {
    const kept = await findSandboxObject(trx, MICROSOFT_REFRESH_TOKENS, token, { lock: true })
    if (kept === null || kept.isUsed) return null
    const { isFailing, isRevoked } = await faultsOf({ db: trx, provider: 'microsoft' }, kept.email)
    if (isFailing) return 'unavailable'
    if (isRevoked) return null
    await saveSandboxObject(trx, MICROSOFT_REFRESH_TOKENS, token, { ...kept, isUsed: true })
    return { email: kept.email, scopes: kept.scopes }
  })
}

/** Source: https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
function toRefusal(error: string, code: number, description: string) {
  return {
    error,
    error_description: `AADSTS${code}: ${description}`,
    error_codes: [code],
    timestamp: new Date().toISOString(),
    trace_id: randomUUID(),
    correlation_id: randomUUID(),
  }
}
