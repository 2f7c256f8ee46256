import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { subscriptionOperations } from '#contract/plans/subscription-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { createSubscriptionCheckout } from './create-checkout.ts'
import type { BillingDeps } from './deps.ts'
import { chooseOpenCalendars, previewPlanChange } from './effect-use-cases.ts'
import { listInvoices, openCustomerPortal, refreshSubscription } from './use-cases.ts'

/** Routes for buying, changing and ending a plan. Source: rules S10 to S13. */
export function billingRoutes(deps: BillingDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(subscriptionOperations.refreshSubscription),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return refreshSubscription(deps, ownerId)
      },
    })

    app.route({
      ...serve(subscriptionOperations.createSubscriptionCheckout),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return createSubscriptionCheckout(deps, ownerId, request.body)
      },
    })

    app.route({
      ...serve(subscriptionOperations.openCustomerPortal),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return openCustomerPortal(deps, ownerId, request.body)
      },
    })

    app.route({
      ...serve(subscriptionOperations.listInvoices),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listInvoices(deps, ownerId)
      },
    })

    app.route({
      ...serve(subscriptionOperations.previewPlanChange),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return previewPlanChange(deps, ownerId, request.query)
      },
    })

    app.route({
      ...serve(subscriptionOperations.chooseOpenCalendars),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await chooseOpenCalendars(deps, ownerId, request.body)
        return reply.code(204).send()
      },
    })
  }
}
