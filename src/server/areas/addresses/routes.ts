import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { domainOperations } from '#contract/addresses/domain-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { changeDomain, deleteDomain } from './change-domain.ts'
import { verifyDomain } from './check-domain.ts'
import type { AddressesDeps } from './deps.ts'
import { describeDomain } from './describe-domain.ts'

/** Routes for the addresses of a calendar, for its owner. */
export function addressRoutes(deps: AddressesDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(domainOperations.getCalendarDomain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return describeDomain(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...serve(domainOperations.changeCalendarDomain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeDomain(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...serve(domainOperations.deleteCalendarDomain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return deleteDomain(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...serve(domainOperations.verifyCalendarDomain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return verifyDomain(deps, ownerId, request.params.id)
      },
    })
  }
}
