import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import type { GoogleProvider } from './adapter.ts'
import { buildConsentUrl } from './consent-url.ts'
import { isGranted, WRITE_SCOPE } from './google-scopes.ts'
import type { GoogleSettings } from './google-settings.ts'
import { sandboxPageOf } from './sandbox-page.ts'

/** Google, with its libraries loaded at their first use and not when the product starts. */
export function buildLaterGoogleProvider(settings: GoogleSettings): CalendarProvider {
  let loading: Promise<GoogleProvider> | null = null
  const load = async () => {
    const { buildGoogleProvider } = await import('./adapter.ts')
    return buildGoogleProvider(settings)
  }
  const google = () => {
    loading ??= load()
    return loading
  }
  return {
    ...sandboxPageOf(settings),
    authorization: {
      buildAuthorizationUrl: (request) => buildConsentUrl(settings, request),
      completeAuthorization: async (request) => (await google()).authorization.completeAuthorization(request),
      allowsWriting: (grantedScopes) => isGranted(grantedScopes, WRITE_SCOPE),
    },
    connect: null,
    disconnect: async (access) => (await google()).disconnect(access),
    listCalendars: async (access) => (await google()).listCalendars(access),
    readChanges: async function* (access, request) {
      yield* (await google()).readChanges(access, request)
    },
    readBusyTimes: async (access, request) => (await google()).readBusyTimes(access, request),
    events: {
      create: async (access, externalId, appointment) =>
        (await google()).events.create(access, externalId, appointment),
      update: async (access, handle, appointment) =>
        (await google()).events.update(access, handle, appointment),
      remove: async (access, handle) => (await google()).events.remove(access, handle),
      find: async (access, handle) => (await google()).events.find(access, handle),
    },
    push: {
      subscribe: async (access, request) => (await google()).push.subscribe(access, request),
      unsubscribe: async (access, channel) => (await google()).push.unsubscribe(access, channel),
    },
  }
}
