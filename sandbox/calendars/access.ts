import { createHash } from 'node:crypto'
import { z } from 'zod'
import { findSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { CalendarSandboxContext, TokenHolder } from './world.ts'

const sandboxCode = z.object({
  email: z.string(),
  scopes: z.array(z.string()),
  redirectUri: z.string(),
  codeChallenge: z.string(),
  isUsed: z.boolean(),
})

/** The collection of a provider's one-time authorization codes. */
export function authorizationCodesOf(provider: CalendarSandboxContext['provider']) {
  return { provider, kind: 'code', schema: sandboxCode } as const
}

/** A token request with an authorization code. Source: RFC 6749 §4.1.3; RFC 7636 §4.5. */
const codeGrant = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string().max(200),
  code_verifier: z.string().min(43).max(128),
  redirect_uri: z.string().max(2_000),
})

/** A token request with a code or a refresh token. Source: RFC 6749 §4.1.3 and §6. */
export const tokenRequestSchema = z.discriminatedUnion('grant_type', [
  codeGrant,
  z.object({ grant_type: z.literal('refresh_token'), refresh_token: z.string().max(200) }),
])

const client = z.object({ client_id: z.string(), client_secret: z.string() })

/** True when a token request has Meridian's client id and secret. */
export function hasClientCredentials(
  { clientId, clientSecret }: Pick<CalendarSandboxContext, 'clientId' | 'clientSecret'>,
  body: unknown,
): boolean {
  const { data } = client.safeParse(body)
  return data?.client_id === clientId && data.client_secret === clientSecret
}

/** Consumes a code and returns its consent. Null when the code is unknown or used, or belongs to another request. */
export function redeemAuthorizationCode(
  { db, provider }: Pick<CalendarSandboxContext, 'db' | 'provider'>,
  asked: z.infer<typeof codeGrant>,
): Promise<Pick<TokenHolder, 'email' | 'scopes'> | null> {
  const codes = authorizationCodesOf(provider)
  const challenge = createHash('sha256').update(asked.code_verifier).digest('base64url')
  return inTransaction(db, async (trx) => {
    const kept = await findSandboxObject(trx, codes, asked.code, { lock: true })
    if (kept === null || kept.isUsed) return null
    if (kept.codeChallenge !== challenge || kept.redirectUri !== asked.redirect_uri) return null
    await saveSandboxObject(trx, codes, asked.code, { ...kept, isUsed: true })
    return { email: kept.email, scopes: kept.scopes }
  })
}

/** Invalidates an account's access tokens. */
export function invalidateTokens(accessTokens: Map<string, TokenHolder>, email: string): void {
  for (const [token, holder] of accessTokens) {
    if (holder.email === email) accessTokens.delete(token)
  }
}
