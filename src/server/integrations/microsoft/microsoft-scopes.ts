import { buildAuthorizationUrl } from '#server/integrations/oauth/build-authorization-url.ts'
import type { AuthorizationRequest } from '#server/ports/external-calendar.ts'
import { type MicrosoftSettings, toOAuthSettings } from './microsoft-settings.ts'

/**
 * Scopes for reading. `Calendars.ReadBasic` would exclude event texts, but Microsoft documents `Calendars.Read` as the
 * minimum for changes of a calendar view (event: delta), and as the only scope for notifications.
 * `MailboxSettings.Read` is the only scope that reveals the zone of all-day events. Source:
 * https://learn.microsoft.com/graph/api/event-delta, …/subscription-post-subscriptions
 */
export const READ_SCOPE = 'Calendars.Read'
export const TIME_ZONE_SCOPE = 'MailboxSettings.Read'
/** Scope for writing events. Microsoft has no narrower scope for writing one's own events. */
export const WRITE_SCOPE = 'Calendars.ReadWrite'

/**
 * Returns the requested scopes. `User.Read` identifies the account, to detect a reconnect with a different one. Writing
 * also requests reading, because notifications do not accept the write scope. Source: rules G18 and G19.
 */
function scopesOf(access: 'read' | 'write'): string {
  const calendar = access === 'write' ? [READ_SCOPE, WRITE_SCOPE] : [READ_SCOPE]
  return ['offline_access', 'User.Read', TIME_ZONE_SCOPE, ...calendar].join(' ')
}

/** True when an account granted a scope. Microsoft returns scopes with or without its URL prefix, in any case. */
export function isScopeGranted(granted: readonly string[], scope: string): boolean {
  return granted.some((given) => given.replace(/^.*\//, '').toLowerCase() === scope.toLowerCase())
}

/** True when the account granted reading. The write scope includes it. */
export function canReadCalendars(granted: readonly string[]): boolean {
  return [READ_SCOPE, WRITE_SCOPE].some((scope) => isScopeGranted(granted, scope))
}

/**
 * Builds the URL at which an owner grants access. Source:
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow#request-an-authorization-code
 */
export function buildConsentUrl(settings: MicrosoftSettings, request: AuthorizationRequest): string {
  return buildAuthorizationUrl(toOAuthSettings(settings), request, {
    scope: scopesOf(request.access),
    response_mode: 'query',
    // Makes Microsoft ask which account to use. Otherwise an owner who is signed in with another account would connect
    // that one.
    ...(request.accountName === null ? { prompt: 'select_account' } : {}),
  })
}
