import { createHash } from 'node:crypto'
import type { AuthorizationRequest } from '#server/ports/external-calendar.ts'
import type { OAuthSettings } from './oauth-settings.ts'

/**
 * Builds the URL of the consent page without the OAuth library, which takes time to load and is needed only for later
 * steps, so that the owner is redirected immediately. Source: RFC 6749 §4.1.1; RFC 7636 §4.3.
 */
export function buildAuthorizationUrl(
  { authorizationUrl, clientId }: Pick<OAuthSettings, 'authorizationUrl' | 'clientId'>,
  { state, codeVerifier, redirectUri, accountName }: Omit<AuthorizationRequest, 'access'>,
  params: { readonly scope: string } & Readonly<Record<string, string>>,
): string {
  const url = new URL(authorizationUrl)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(accountName === null ? {} : { login_hint: accountName }),
    ...params,
  }).toString()
  return url.toString()
}
