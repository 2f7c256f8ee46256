import type { CalendarProvider } from '#server/ports/external-calendar.ts'
import type { MicrosoftProvider } from './adapter.ts'
import { buildConsentUrl } from './consent-url.ts'
import { isGranted, WRITE_SCOPE } from './microsoft-scopes.ts'
import type { MicrosoftSettings } from './microsoft-settings.ts'
import { sandboxPageOf } from './sandbox-page.ts'

/** Microsoft 365, with its libraries loaded at their first use and not when the product starts. */
export function buildLaterMicrosoftProvider(settings: MicrosoftSettings): CalendarProvider {
  let loading: Promise<MicrosoftProvider> | null = null
  const load = async () => {
    const { buildMicrosoftProvider } = await import('./adapter.ts')
    return buildMicrosoftProvider(settings)
  }
  const microsoft = () => {
    loading ??= load()
    return loading
  }
  return {
    ...sandboxPageOf(settings),
    authorization: {
      buildAuthorizationUrl: (request) => buildConsentUrl(settings, request),
      completeAuthorization: async (request) =>
        (await microsoft()).authorization.completeAuthorization(request),
      allowsWriting: (grantedScopes) => isGranted(grantedScopes, WRITE_SCOPE),
    },
    connect: null,
    disconnect: async (access) => (await microsoft()).disconnect(access),
    listCalendars: async (access) => (await microsoft()).listCalendars(access),
    readChanges: async function* (access, request) {
      yield* (await microsoft()).readChanges(access, request)
    },
    readBusyTimes: async (access, request) => (await microsoft()).readBusyTimes(access, request),
    events: {
      create: async (access, externalId, appointment) =>
        (await microsoft()).events.create(access, externalId, appointment),
      update: async (access, handle, appointment) =>
        (await microsoft()).events.update(access, handle, appointment),
      remove: async (access, handle) => (await microsoft()).events.remove(access, handle),
      find: async (access, handle) => (await microsoft()).events.find(access, handle),
    },
    push: {
      subscribe: async (access, request) => (await microsoft()).push.subscribe(access, request),
      unsubscribe: async (access, channel) => (await microsoft()).push.unsubscribe(access, channel),
    },
  }
}
