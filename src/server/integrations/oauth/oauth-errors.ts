import { ClientError, ResponseBodyError } from 'openid-client'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import type { OAuthSettings } from './oauth-settings.ts'
import { parseRetryAfter } from './parse-retry-after.ts'

/** The library's error codes for problems that can be temporary. */
const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/**
 * Translates errors of the OAuth library into those of the port. The library's errors contain requests and responses,
 * so none is attached as a cause. Any other error is a bug of ours and is returned unchanged.
 */
export function toOAuthError({ provider, now }: OAuthSettings, error: unknown): unknown {
  if (error instanceof ResponseBodyError) return toRefusal({ provider, now }, error)
  const answer = error instanceof Error ? error.cause : undefined
  if (answer instanceof Response) return toStatusError({ provider, now }, answer)
  // fetch rejects with a TypeError when there is no connection.
  if (error instanceof TypeError) return unavailable(provider)
  if (!(error instanceof ClientError)) return error
  if (NO_ANSWER.has(error.code ?? '')) return unavailable(provider)
  const cause = new Error(`${error.code} ${error.message}`)
  return new CalendarProviderError('refused', `${provider} gave an unexpected response.`, { cause })
}

/** Translates an OAuth error response into an error of the port. Source: RFC 6749 §5.2. */
function toRefusal(
  { provider, now }: Pick<OAuthSettings, 'provider' | 'now'>,
  refusal: ResponseBodyError,
): CalendarProviderError {
  const cause = new Error(`${refusal.status} ${refusal.error}`)
  switch (refusal.error) {
    case 'invalid_grant':
    // With these codes the owner must sign in or consent again. Source: OpenID Connect Core 1.0 §3.1.2.6.
    case 'interaction_required':
    case 'login_required':
    case 'consent_required':
      return new CalendarProviderError('expired', `${provider} no longer accepts this connection.`, { cause })
    case 'invalid_client':
    case 'unauthorized_client':
      return new CalendarProviderError(
        'refused',
        `${provider} does not accept the keys of this installation.`,
        { cause },
      )
    case 'temporarily_unavailable':
    case 'server_error':
      return unavailable(provider)
  }
  if (refusal.status === 429 || refusal.status >= 500)
    return toStatusError({ provider, now }, refusal.response)
  return new CalendarProviderError('refused', `${provider} refused the connection.`, { cause })
}

function toStatusError(
  { provider, now }: Pick<OAuthSettings, 'provider' | 'now'>,
  { status, headers }: Response,
): CalendarProviderError {
  if (status !== 429) return unavailable(provider)
  return new CalendarProviderError('rate_limited', `${provider} asks for a pause.`, {
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now()),
  })
}

function unavailable(provider: string): CalendarProviderError {
  return new CalendarProviderError('unavailable', `${provider} didn’t respond.`)
}
