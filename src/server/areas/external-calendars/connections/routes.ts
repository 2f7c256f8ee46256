import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { externalCalendarOperations } from '#contract/external-calendars/external-calendar-operations.ts'
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
        return reply.redirect(`${deps.baseUrl}${toPage(provider, outcome)}`, 303)
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

/**
 * Returns the redirect target after the provider's consent page: the dashboard on success, otherwise the settings page
 * where the owner started.
 */
function toPage(provider: 'google' | 'microsoft', { calendarId, result }: AuthorizationOutcome): string {
  if (result === 'connected') {
    return provider === 'google'
      ? '/dashboard?google_connected=success'
      : `/dashboard?calendar_connected=${provider}`
  }
  if (calendarId === null) return `/dashboard?calendar_failed=${result}`
  const settings = `/calendar/${calendarId}/settings?tab=integrations`
  return result === 'other_account'
    ? `${settings}&calendar_connected=other_account`
    : `${settings}&calendar_failed=${result}`
}
