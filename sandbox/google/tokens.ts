import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { HOUR_SECONDS, SECOND_MS } from '#core/shared/duration.ts'
import {
  hasClientCredentials,
  redeemAuthorizationCode,
  tokenRequestSchema,
} from '#sandbox/calendars/access.ts'
import { accountKey } from '#sandbox/calendars/account.ts'
import { faultsOf } from '#sandbox/calendars/calendar-api.ts'
import type { CalendarSandboxContext, TokenHolder } from '#sandbox/calendars/world.ts'
import { oauthError } from '#sandbox/kit/oauth.ts'
import { addSandboxObject, findSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { originOfRequest } from '#sandbox/kit/sandbox-server.ts'
import { GOOGLE_ACCOUNTS, GOOGLE_REFRESH_TOKENS } from './world.ts'

const revocation = z.object({ token: z.string().max(200) })

type Grant = Pick<TokenHolder, 'email' | 'scopes'>

/**
 * Registers the endpoints that exchange codes and refresh tokens for access tokens, and that revoke tokens.
 * Source: https://developers.google.com/identity/protocols/oauth2/web-server#exchange-authorization-code
 */
export function registerTokenEndpoints(app: FastifyInstance, world: CalendarSandboxContext): void {
  app.post('/token', async (request, reply) => {
    if (!hasClientCredentials(world, request.body)) {
      return reply.code(401).send(oauthError('invalid_client', 'Unauthorized'))
    }
    const asked = tokenRequestSchema.safeParse(request.body)
    if (!asked.success)
      return reply.code(400).send(oauthError('unsupported_grant_type', 'Invalid grant_type'))
    if (asked.data.grant_type === 'refresh_token') {
      const kept = await findGrant(world, asked.data.refresh_token)
      if (kept === 'unavailable') {
        return reply.code(503).send(oauthError('temporarily_unavailable', 'Please try again'))
      }
      return kept ?? reply.code(400).send(oauthError('invalid_grant', 'Token has been expired or revoked.'))
    }
    const redeemed = await redeemAuthorizationCode(world, asked.data)
    if (redeemed === null) return reply.code(400).send(oauthError('invalid_grant', 'Bad Request'))
    const refreshToken = `1//0${randomBytes(32).toString('base64url')}`
    await addSandboxObject(world.db, GOOGLE_REFRESH_TOKENS, refreshToken, { ...redeemed, isRevoked: false })
    return {
      ...giveAccess(world, redeemed),
      refresh_token: refreshToken,
      id_token: writeIdToken({
        email: redeemed.email,
        issuer: originOfRequest(request),
        audience: world.clientId,
      }),
    }
  })

  app.post('/revoke', async (request, reply) => {
    const token = revocation.safeParse(request.body).data?.token ?? ''
    const kept = await findSandboxObject(world.db, GOOGLE_REFRESH_TOKENS, token)
    if (kept === null || kept.isRevoked) {
      return reply.code(400).send(oauthError('invalid_token', 'Token expired or revoked'))
    }
    await saveSandboxObject(world.db, GOOGLE_REFRESH_TOKENS, token, { ...kept, isRevoked: true })
    world.endAccessTokens(kept.email)
    const account = await findSandboxObject(world.db, GOOGLE_ACCOUNTS, accountKey(kept.email))
    if (account !== null) {
      await saveSandboxObject(world.db, GOOGLE_ACCOUNTS, accountKey(kept.email), {
        ...account,
        grantedScopes: [],
      })
    }
    return {}
  })
}

function giveAccess(world: CalendarSandboxContext, { email, scopes }: Grant) {
  const token = `ya29.${randomBytes(32).toString('base64url')}`
  const expiresAtMs = world.now() + HOUR_SECONDS * SECOND_MS
  world.accessTokens.set(token, { email, scopes, expiresAtMs })
  return {
    access_token: token,
    expires_in: HOUR_SECONDS - 1,
    scope: scopes.join(' '),
    token_type: 'Bearer',
  }
}

/** Finds what a refresh token grants. Returns null for an unknown or revoked token. */
async function findGrant(world: CalendarSandboxContext, refreshToken: string) {
  const kept = await findSandboxObject(world.db, GOOGLE_REFRESH_TOKENS, refreshToken)
  if (kept === null || kept.isRevoked) return null
  const { isFailing, isRevoked } = await faultsOf(world, kept.email)
  if (isFailing) return 'unavailable'
  return isRevoked ? null : giveAccess(world, kept)
}

/**
 * Builds the ID token, which names the account. It is unsigned: clients need not verify a token that they received directly from
 * the provider. It uses the machine's clock, like the client's checks. Source: OpenID Connect Core 1.0 §3.1.3.7.
 */
function writeIdToken({ email, issuer, audience }: { email: string; issuer: string; audience: string }) {
  const nowS = Math.floor(Date.now() / SECOND_MS)
  const header = { alg: 'RS256', typ: 'JWT' }
  const claims = {
    iss: issuer,
    azp: audience,
    aud: audience,
    sub: subjectOf(email),
    email,
    email_verified: true,
    iat: nowS,
    exp: nowS + HOUR_SECONDS,
  }
  const encode = (part: object | string) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
  return [header, claims, 'not signed'].map(encode).join('.')
}

/** Derives Google's numeric id of an account from its email address. */
function subjectOf(email: string): string {
  const digest = createHash('sha256').update(email).digest()
  return `1${(digest.readBigUInt64BE() % 10n ** 20n).toString().padStart(20, '0')}`
}
