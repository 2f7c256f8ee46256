import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerOperations } from '#contract/operations/customers.ts'
import type { SignedInGuard } from '#server/platform/http/owner-routes.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { type CustomersDeps, searchCustomers } from './use-cases.ts'

/** The customers of a calendar. */
export function customerRoutes(deps: CustomersDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(customerOperations.searchCustomers),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const input = { calendarId: request.params.id, search: request.query.search }
        return { customers: await searchCustomers(deps, ownerId, input) }
      },
    })
  }
}
