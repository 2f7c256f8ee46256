import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { insightOperations } from '#contract/appointments/insight-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { getInsights, type InsightsDeps } from './use-cases.ts'

/** Route for the statistics of a calendar. */
export function insightRoutes(deps: InsightsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(insightOperations.getInsights),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getInsights(deps, ownerId, { calendarId: request.params.id, months: request.query.months })
      },
    })
  }
}
