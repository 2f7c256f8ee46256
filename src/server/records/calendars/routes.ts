import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { calendarOperations } from '#contract/calendars/calendar-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { changeCalendar } from './change-calendar.ts'
import { type DuplicationDeps, duplicateCalendar } from './duplicate-calendar.ts'
import {
  createCalendar,
  deleteCalendar,
  getCalendarOutlook,
  getCalendarSettings,
  getPublicCalendar,
  getPublicPaymentProviders,
  listOwnCalendars,
} from './use-cases.ts'

/** Routes for the public data of a calendar, and the owner's routes for managing calendars. */
export function calendarRoutes(deps: DuplicationDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(calendarOperations.getPublicCalendarBySlug),
      handler: ({ params, query }) => getPublicCalendar(deps, params.slug, query.type),
    })

    app.route({
      ...toRoute(calendarOperations.getPublicPaymentProviders),
      handler: ({ params }) => getPublicPaymentProviders(deps, params.slug),
    })

    app.route({
      ...toRoute(calendarOperations.listCalendars),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { calendars: await listOwnCalendars(deps, ownerId) }
      },
    })

    app.route({
      ...toRoute(calendarOperations.createCalendar),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return reply.code(201).send(await createCalendar(deps, ownerId, request.body))
      },
    })

    app.route({
      ...toRoute(calendarOperations.duplicateCalendar),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { params, headers, body } = request
        const key = headers['idempotency-key'] ?? null
        return reply.code(201).send(await duplicateCalendar(deps, ownerId, params.id, { ...body, key }))
      },
    })

    app.route({
      ...toRoute(calendarOperations.getCalendar),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getCalendarSettings(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(calendarOperations.getCalendarOutlook),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getCalendarOutlook(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(calendarOperations.updateCalendar),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeCalendar(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(calendarOperations.deleteCalendar),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await deleteCalendar(deps, ownerId, request.params.id)
        return reply.code(204).send()
      },
    })
  }
}
