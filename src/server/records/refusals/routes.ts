import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { refusalOperations } from '#contract/calendars/refusal-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { getRefusals } from './use-cases.ts'

/** Route for the bookings that were refused because of the time, for the calendar's owner. */
export function refusalRoutes(deps: { readonly db: Db }, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(refusalOperations.listRefusals),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getRefusals(deps, ownerId, request.params.id, request.query)
      },
    })
  }
}
