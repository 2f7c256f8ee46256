import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { externalChangeOperations } from '#contract/external-calendars/external-change-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { decideExternalChanges, listExternalChanges } from './use-cases.ts'

/** Routes for changes in external calendars that wait for the owner's decision. */
export function externalChangeRoutes(
  deps: AppointmentEventsDeps,
  signedIn: OwnerGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(externalChangeOperations.listExternalChanges),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listExternalChanges(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(externalChangeOperations.decideExternalChanges),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return decideExternalChanges(deps, ownerId, request.params.id, request.body)
      },
    })
  }
}
