import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { subscriptionOperations } from '#contract/plans/subscription-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { getPlanOverview, type SubscriptionDeps } from './use-cases.ts'

/** Routes for the owner's plan. Source: rule S5. */
export function subscriptionRoutes(deps: SubscriptionDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(subscriptionOperations.checkSubscription),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getPlanOverview(deps, ownerId)
      },
    })
  }
}
