import { z } from 'zod'

const tokens = z.object({
  accessToken: z.string(),
  /** When the access token expires, in epoch milliseconds. */
  expiresAtMs: z.number(),
  refreshToken: z.string(),
  grantedScopes: z.array(z.string()),
})

/** Tokens of an account. The refresh token is valid until the owner or the provider revokes it. */
export type OAuthTokens = z.infer<typeof tokens>

/** @throws Error when the text was not written by `serialiseTokens` */
export function parseTokens(credentials: string): OAuthTokens {
  return tokens.parse(JSON.parse(credentials))
}

export function serialiseTokens(given: OAuthTokens): string {
  return JSON.stringify(given)
}
