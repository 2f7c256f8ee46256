import {
  allowInsecureRequests,
  authorizationCodeGrant,
  Configuration,
  ResponseBodyError,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client'
import { SECOND_MS } from '#core/shared/duration.ts'
import { type AuthorizationRequest, CalendarProviderError } from '#server/ports/external-calendar.ts'
import { toOAuthError } from './oauth-errors.ts'
import type { OAuthSettings } from './oauth-settings.ts'
import type { OAuthTokens } from './oauth-tokens.ts'

export type OAuthClient = {
  /** Exchanges the callback's code for tokens. `claims` are those of the ID token; null when there is none. */
  exchangeCode(
    request: Pick<AuthorizationRequest, 'codeVerifier' | 'redirectUri'> & { readonly code: string },
  ): Promise<{ readonly tokens: OAuthTokens; readonly claims: Readonly<Record<string, unknown>> | null }>
  /** @throws CalendarProviderError `expired` when the account no longer accepts the refresh token */
  refresh(tokens: OAuthTokens): Promise<OAuthTokens>
  /** Revokes the access. Tokens that are already invalid count as revoked. */
  revoke(tokens: OAuthTokens): Promise<void>
}

type TokenAnswer = Awaited<ReturnType<typeof refreshTokenGrant>>

/** Assumed lifetime of access tokens for which the provider states no expiry, in seconds. */
const UNKNOWN_LIFETIME_S = 300

/**
 * OAuth client for the authorization code grant with PKCE, refresh and revocation. Source: RFC 6749, RFC 7636, RFC
 * 7009.
 */
export function buildOAuthClient(settings: OAuthSettings): OAuthClient {
  const { provider, issuer, authorizationUrl, tokenUrl, revocationUrl, clientId, clientSecret } = settings
  const server = {
    issuer,
    authorization_endpoint: authorizationUrl,
    token_endpoint: tokenUrl,
    ...(revocationUrl === null ? {} : { revocation_endpoint: revocationUrl }),
  }
  const configuration = new Configuration(server, clientId, clientSecret)
  configuration.timeout = settings.timeoutMs / SECOND_MS
  // Allow plain http for stand-ins on this machine, which have no certificate.
  if (new URL(tokenUrl).protocol === 'http:') allowInsecureRequests(configuration)

  function toTokens(answer: TokenAnswer, before: OAuthTokens | null): OAuthTokens {
    const refreshToken = answer.refresh_token ?? before?.refreshToken
    if (refreshToken === undefined) {
      throw new CalendarProviderError('refused', `${provider} gave no lasting access. Please connect again.`)
    }
    return {
      accessToken: answer.access_token,
      expiresAtMs: settings.now() + (answer.expires_in ?? UNKNOWN_LIFETIME_S) * SECOND_MS,
      refreshToken,
      grantedScopes: answer.scope?.split(' ') ?? before?.grantedScopes ?? [],
    }
  }

  return {
    exchangeCode: async ({ code, codeVerifier, redirectUri }) => {
      const callback = new URL(redirectUri)
      callback.searchParams.set('code', code)
      try {
        // The state parameter was verified earlier, when it was used to look up the code verifier.
        const answer = await authorizationCodeGrant(configuration, callback, {
          pkceCodeVerifier: codeVerifier,
        })
        return { tokens: toTokens(answer, null), claims: answer.claims() ?? null }
      } catch (error) {
        if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
          throw new CalendarProviderError('refused', 'The consent was too long ago. Please connect again.')
        }
        throw toOAuthError(settings, error)
      }
    },
    refresh: async (tokens) => {
      try {
        return toTokens(await refreshTokenGrant(configuration, tokens.refreshToken), tokens)
      } catch (error) {
        throw toOAuthError(settings, error)
      }
    },
    revoke: async ({ refreshToken }) => {
      if (revocationUrl === null) return
      try {
        await tokenRevocation(configuration, refreshToken)
      } catch (error) {
        if (error instanceof ResponseBodyError && error.error === 'invalid_token') return
        throw toOAuthError(settings, error)
      }
    },
  }
}
