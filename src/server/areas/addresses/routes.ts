import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { domainOperations } from '#contract/addresses/domain-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { changeDomain, deleteDomain } from './change-domain.ts'
import { verifyDomain } from './check-domain.ts'
import type { AddressesDeps } from './deps.ts'
import { describeDomain } from './describe-domain.ts'

/** Routes for the addresses of a calendar, for its owner. */
export function addressRoutes(deps: AddressesDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(domainOperations.getCalendarDomain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return describeDomain(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(domainOperations.changeCalendarDomain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeDomain(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(domainOperations.deleteCalendarDomain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return deleteDomain(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(domainOperations.verifyCalendarDomain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return verifyDomain(deps, ownerId, request.params.id)
      },
    })
  }
}
