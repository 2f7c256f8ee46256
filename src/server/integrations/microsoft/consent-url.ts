import { buildAuthorizationUrl } from '#server/integrations/oauth/build-authorization-url.ts'
import type { AuthorizationRequest } from '#server/ports/external-calendar.ts'
import { scopesOf } from './microsoft-scopes.ts'
import { type MicrosoftSettings, toOAuthSettings } from './microsoft-settings.ts'

/** Source: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow#request-an-authorization-code */
export function buildConsentUrl(settings: MicrosoftSettings, request: AuthorizationRequest): string {
  return buildAuthorizationUrl(toOAuthSettings(settings), request, {
    scope: scopesOf(request.access),
    response_mode: 'query',
    // Without it, an owner signed in with another account is not asked which one to use.
    ...(request.accountName === null ? { prompt: 'select_account' } : {}),
  })
}
