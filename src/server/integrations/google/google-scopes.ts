import { buildAuthorizationUrl } from '#server/integrations/oauth/build-authorization-url.ts'
import type { AuthorizationRequest } from '#server/ports/external-calendar.ts'
import { type GoogleSettings, toOAuthSettings } from './google-settings.ts'

const CALENDAR = 'https://www.googleapis.com/auth/calendar'

/**
 * Scopes for listing calendars and for reading busy times. Both are required: without the first the owner has no
 * calendars to choose from, without the second we cannot read busy times.
 */
export const READ_SCOPES = [`${CALENDAR}.calendarlist.readonly`, `${CALENDAR}.events.freebusy`]

/**
 * Scope for writing events on calendars that the account owns. A narrower scope (`calendar.app.created`) exists for a
 * separate calendar of the product. But colleagues see only the main calendar, and owners move appointments in it, so
 * appointments belong there.
 */
export const WRITE_SCOPE = `${CALENDAR}.events.owned`

/** Broader scopes that include one of ours, which an account may have granted to this installation earlier. */
const BROADER_SCOPES: Readonly<Record<string, readonly string[]>> = {
  [`${CALENDAR}.calendarlist.readonly`]: [`${CALENDAR}.calendarlist`, `${CALENDAR}.readonly`, CALENDAR],
  [`${CALENDAR}.events.freebusy`]: [
    `${CALENDAR}.events.readonly`,
    `${CALENDAR}.events`,
    `${CALENDAR}.readonly`,
    CALENDAR,
  ],
  [WRITE_SCOPE]: [`${CALENDAR}.events`, CALENDAR],
}

/**
 * Returns the requested scopes. The account's identity is included to detect a reconnect with a different account.
 * Source: rules G18 and G19.
 */
function scopesOf(access: 'read' | 'write'): string {
  const calendar = access === 'write' ? [...READ_SCOPES, WRITE_SCOPE] : READ_SCOPES
  return ['openid', 'email', ...calendar].join(' ')
}

/** True when an account granted a scope. People can untick scopes on Google's page. */
export function isScopeGranted(granted: readonly string[], scope: string): boolean {
  return [scope, ...(BROADER_SCOPES[scope] ?? [])].some((allowing) => granted.includes(allowing))
}

/**
 * Builds the URL at which an owner grants access. Source:
 * https://developers.google.com/identity/protocols/oauth2/web-server#creatingclient
 */
export function buildConsentUrl(settings: GoogleSettings, request: AuthorizationRequest): string {
  return buildAuthorizationUrl(toOAuthSettings(settings), request, {
    scope: scopesOf(request.access),
    // Google returns a refresh token every time only if both parameters are set.
    access_type: 'offline',
    prompt: request.accountName === null ? 'consent select_account' : 'consent',
    // Keep the scopes that the account granted earlier.
    include_granted_scopes: 'true',
  })
}
