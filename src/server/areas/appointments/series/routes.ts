import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { seriesOperations } from '#contract/appointments/series-operations.ts'
import type { OwnerBookingDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { clientOfRequest } from '#server/platform/http/client-of-request.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { planPublicSeries } from './customer-series.ts'
import { createOwnSeries, endOwnSeries, getOwnSeries, planOwnSeries } from './use-cases.ts'

/** The route for customers who want to book a series. The booking itself is an ordinary one, with further dates. */
export function publicSeriesRoutes(deps: Parameters<typeof planPublicSeries>[0]): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(seriesOperations.planPublicSeries),
      handler: (request) =>
        planPublicSeries(deps, {
          slug: request.params.slug,
          client: clientOfRequest(request),
          asked: request.query,
        }),
    })
  }
}

/** Routes for owners whose customers come regularly. */
export function seriesRoutes(deps: OwnerBookingDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(seriesOperations.planSeries),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return planOwnSeries(deps, ownerId, request.params.id, request.query)
      },
    })

    app.route({
      ...toRoute(seriesOperations.createSeries),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const key = request.headers['idempotency-key'] ?? null
        const input = { calendarId: request.params.id, key, body: request.body }
        return reply.code(201).send(await createOwnSeries(deps, ownerId, input))
      },
    })

    app.route({
      ...toRoute(seriesOperations.getSeries),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, series_id: id } = request.params
        return getOwnSeries(deps, ownerId, { calendarId, id })
      },
    })

    app.route({
      ...toRoute(seriesOperations.endSeries),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, series_id: id } = request.params
        return endOwnSeries(deps, ownerId, { calendarId, id }, request.body)
      },
    })
  }
}
