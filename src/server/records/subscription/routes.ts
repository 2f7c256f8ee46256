import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { subscriptionOperations } from '#contract/plans/subscription-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { getPlanOverview, type SubscriptionDeps } from './use-cases.ts'

/** Routes for the owner's plan. Source: rule S5. */
export function subscriptionRoutes(deps: SubscriptionDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(subscriptionOperations.checkSubscription),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getPlanOverview(deps, ownerId)
      },
    })
  }
}
