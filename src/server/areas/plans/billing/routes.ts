import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { subscriptionOperations } from '#contract/plans/subscription-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { createSubscriptionCheckout } from './create-checkout.ts'
import type { BillingDeps } from './deps.ts'
import { chooseOpenCalendars, previewPlanChange } from './effect-use-cases.ts'
import { listInvoices, openCustomerPortal, refreshSubscription } from './use-cases.ts'

/** Routes for buying, changing and ending a plan. Source: rules S10 to S13. */
export function billingRoutes(deps: BillingDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(subscriptionOperations.refreshSubscription),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return refreshSubscription(deps, ownerId)
      },
    })

    app.route({
      ...toRoute(subscriptionOperations.createSubscriptionCheckout),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return createSubscriptionCheckout(deps, ownerId, request.body)
      },
    })

    app.route({
      ...toRoute(subscriptionOperations.openCustomerPortal),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return openCustomerPortal(deps, ownerId, request.body)
      },
    })

    app.route({
      ...toRoute(subscriptionOperations.listInvoices),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listInvoices(deps, ownerId)
      },
    })

    app.route({
      ...toRoute(subscriptionOperations.previewPlanChange),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return previewPlanChange(deps, ownerId, request.query)
      },
    })

    app.route({
      ...toRoute(subscriptionOperations.chooseOpenCalendars),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await chooseOpenCalendars(deps, ownerId, request.body)
        return reply.code(204).send()
      },
    })
  }
}
