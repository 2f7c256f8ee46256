import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { subscriptionResponse } from '#contract/subscription.ts'
import { ownerRefusals, ownerSecurity, type SignedInGuard } from '#server/platform/http/owner-routes.ts'
import { planOf, type SubscriptionDeps } from './use-cases.ts'

/** The owner's plan. Source: rule S5. */
export function subscriptionRoutes(deps: SubscriptionDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/subscription', {
      schema: {
        operationId: 'checkSubscription',
        summary: 'My plan and what it allows',
        tags: ['Profile and subscription'],
        security: ownerSecurity,
        response: { 200: subscriptionResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return planOf(deps, ownerId)
      },
    })
  }
}
