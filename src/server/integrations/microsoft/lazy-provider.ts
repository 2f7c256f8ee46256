import { findSandboxPage } from '#server/integrations/oauth/oauth-settings.ts'
import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import { buildLazyCalendarProvider } from '#server/ports/lazy-calendar-provider.ts'
import { buildConsentUrl, isScopeGranted, WRITE_SCOPE } from './microsoft-scopes.ts'
import type { MicrosoftSettings } from './microsoft-settings.ts'

/** Microsoft 365 provider whose libraries are loaded on first use. */
export function buildLazyMicrosoftProvider(settings: MicrosoftSettings): CalendarProvider {
  const load = async () => (await import('./adapter.ts')).buildMicrosoftProvider(settings)
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
