import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { externalCalendarOperations } from '#contract/external-calendars/external-calendar-operations.ts'
import {
  CONSENT_RETURN_PAGES,
  type ConsentReturnPage,
} from '#contract/external-calendars/external-calendars.ts'
import type { Auth } from '#server/platform/auth/auth.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { findSignedInOwner } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { changeExternalCalendarSettings, chooseExternalCalendars } from './choice-use-cases.ts'
import {
  type AuthorizationOutcome,
  authorizeExternalCalendar,
  completeAuthorization,
  connectWithCredentials,
} from './connection-use-cases.ts'
import type { ExternalCalendarsDeps } from './deps.ts'
import { disconnectExternalCalendar } from './disconnect-use-cases.ts'
import { syncNow } from './sync-now-use-cases.ts'
import { getExternalCalendars, listExternalEvents } from './use-cases.ts'

/** Routes for the owner's calendars at external providers. */
export function externalCalendarRoutes(
  deps: ExternalCalendarsDeps & { readonly auth: Auth },
  signedIn: OwnerGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(externalCalendarOperations.getExternalCalendars),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getExternalCalendars(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.authorizeExternalCalendar),
      handler: async (request) => {
        const session = await signedIn(request)
        const { id: calendarId, provider } = request.params
        return authorizeExternalCalendar(deps, session, { ...request.body, calendarId, provider })
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.completeCalendarAuthorization),
      handler: async (request, reply) => {
        const { provider } = request.params
        const session = await findSignedInOwner(deps.auth, request)
        const outcome =
          session === null
            ? ({ calendarId: null, result: 'invalid' } as const)
            : await completeAuthorization(deps, session, { ...request.query, provider })
        return reply.redirect(`${deps.baseUrl}${toPage({ ...request.query, provider }, outcome)}`, 303)
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.connectCaldav),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const typed = { kind: 'password' as const, ...request.body }
        return connectWithCredentials(deps, ownerId, {
          calendarId: request.params.id,
          provider: 'caldav',
          typed,
        })
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.connectIcs),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const typed = { kind: 'address' as const, ...request.body }
        return connectWithCredentials(deps, ownerId, {
          calendarId: request.params.id,
          provider: 'ics',
          typed,
        })
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.updateExternalCalendarSettings),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeExternalCalendarSettings(deps, ownerId, {
          ...request.body,
          calendarId: request.params.id,
        })
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.chooseExternalCalendars),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return chooseExternalCalendars(deps, ownerId, { ...request.body, calendarId: request.params.id })
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.syncExternalCalendars),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return syncNow(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.disconnectExternalCalendar),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, connection_id: connectionId } = request.params
        return disconnectExternalCalendar(deps, ownerId, { calendarId, connectionId, ...request.query })
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.listExternalEvents),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listExternalEvents(deps, ownerId, { ...request.query, calendarId: request.params.id })
      },
    })

    app.route({
      ...toRoute(externalCalendarOperations.listAllExternalEvents),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listExternalEvents(deps, ownerId, request.query)
      },
    })
  }
}

/** Returns the URL of the page where the owner set out, with the result. Source: rule G19. */
function toPage(
  { state, provider }: { readonly state: string; readonly provider: 'google' | 'microsoft' },
  { calendarId, result }: AuthorizationOutcome,
): string {
  const page = CONSENT_RETURN_PAGES.find((name) => state.endsWith(`.${name}`)) ?? 'dashboard'
  return `${toPath(page, calendarId)}${toResultParameter(provider, result)}`
}

/** Returns the path of a page, up to the first parameter to add. The settings need a calendar. */
function toPath(page: ConsentReturnPage, calendarId: string | null): string {
  if (page === 'setup') return '/setup?step=external_calendar&'
  if (page === 'dashboard' || calendarId === null) return '/dashboard?'
  return `/calendar/${calendarId}/settings?tab=integrations&`
}

function toResultParameter(provider: 'google' | 'microsoft', result: AuthorizationOutcome['result']): string {
  if (result === 'other_account') return 'calendar_connected=other_account'
  if (result !== 'connected') return `calendar_failed=${result}`
  return provider === 'google' ? 'google_connected=success' : `calendar_connected=${provider}`
}
