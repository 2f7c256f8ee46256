import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { setupOperations } from '#contract/accounts/setup-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { changeSetup, getSetup, type SetupDeps } from './use-cases.ts'

/** Routes for the set-up of a new account. Source: rule U32. */
export function setupRoutes(deps: SetupDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(setupOperations.getSetup),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getSetup(deps, ownerId)
      },
    })

    app.route({
      ...toRoute(setupOperations.changeSetup),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeSetup(deps, ownerId, request.body)
      },
    })
  }
}
