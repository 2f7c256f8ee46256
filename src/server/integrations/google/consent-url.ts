import { buildAuthorizationUrl } from '#server/integrations/oauth/build-authorization-url.ts'
import type { AuthorizationRequest } from '#server/ports/external-calendar.ts'
import { scopesOf } from './google-scopes.ts'
import { type GoogleSettings, toOAuthSettings } from './google-settings.ts'

/** Source: https://developers.google.com/identity/protocols/oauth2/web-server#creatingclient */
export function buildConsentUrl(settings: GoogleSettings, request: AuthorizationRequest): string {
  return buildAuthorizationUrl(toOAuthSettings(settings), request, {
    scope: scopesOf(request.access),
    // Google returns a refresh token every time only with both parameters.
    access_type: 'offline',
    prompt: request.accountName === null ? 'consent select_account' : 'consent',
    // Keep the scopes that the account granted earlier.
    include_granted_scopes: 'true',
  })
}
