import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { insightOperations } from '#contract/appointments/insight-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { getInsights, type InsightsDeps } from './use-cases.ts'

/** Routes for the statistics of calendars. */
export function insightRoutes(deps: InsightsDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(insightOperations.getInsights),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getInsights(deps, ownerId, { calendarId: request.params.id, months: request.query.months })
      },
    })

    app.route({
      ...toRoute(insightOperations.getAllInsights),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getInsights(deps, ownerId, request.query)
      },
    })
  }
}
