import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { pageProblemOperations } from '#contract/availability/page-problem-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { listPageProblems, type PageCheckDeps } from './use-cases.ts'

/** Route for the owner's list of problems that keep customers from booking. */
export function pageProblemRoutes(deps: PageCheckDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(pageProblemOperations.listPageProblems),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listPageProblems(deps, ownerId)
      },
    })
  }
}
