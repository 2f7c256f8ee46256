import { findSandboxPage } from '#server/integrations/oauth/oauth-settings.ts'
import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import { buildLazyCalendarProvider } from '#server/ports/lazy-calendar-provider.ts'
import { buildConsentUrl, isScopeGranted, WRITE_SCOPE } from './google-scopes.ts'
import type { GoogleSettings } from './google-settings.ts'

/** Google provider whose libraries are loaded on first use. */
export function buildLazyGoogleProvider(settings: GoogleSettings): CalendarProvider {
  const load = async () => (await import('./adapter.ts')).buildGoogleProvider(settings)
  return buildLazyCalendarProvider(load, {
    ...findSandboxPage(settings),
    authorization: {
      buildAuthorizationUrl: (request) => buildConsentUrl(settings, request),
      allowsWriting: (grantedScopes) => isScopeGranted(grantedScopes, WRITE_SCOPE),
    },
    canWrite: true,
    hasPush: true,
  })
}
