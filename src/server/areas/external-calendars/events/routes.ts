import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { externalChangeOperations } from '#contract/external-calendars/external-change-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { decideExternalChanges, listExternalChanges } from './use-cases.ts'

/** Routes for changes in external calendars that wait for the owner's decision. */
export function externalChangeRoutes(
  deps: AppointmentEventsDeps,
  signedIn: SignedInGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...serve(externalChangeOperations.listExternalChanges),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listExternalChanges(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...serve(externalChangeOperations.decideExternalChanges),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return decideExternalChanges(deps, ownerId, request.params.id, request.body)
      },
    })
  }
}
