import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { checkoutOperations } from '#contract/payments/checkout-operations.ts'
import type { ExternalCheckDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { GetPublicCaller } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { createCheckout } from './create-checkout.ts'
import { releasePendingAppointment } from './end-checkouts.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'
import { settlePayment } from './settle-payment.ts'

/** Routes for payments by customers. No login: the appointment's id grants access. */
export function checkoutRoutes(
  deps: CheckoutsDeps & ExternalCheckDeps,
  callerOf: GetPublicCaller,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(checkoutOperations.createCheckout),
      handler: async (request, reply) => {
        const { params, headers, body } = request
        const key = headers['idempotency-key'] ?? null
        const caller = await callerOf(request)
        return reply.code(201).send(await createCheckout(deps, { slug: params.slug, key, body, caller }))
      },
    })

    app.route({
      ...toRoute(checkoutOperations.settlePayment),
      handler: ({ params }) => settlePayment(deps, params.id),
    })

    app.route({
      ...toRoute(checkoutOperations.deletePendingAppointment),
      handler: async ({ params, query }, reply) => {
        await releasePendingAppointment(deps, params.id, query.transaction_id ?? null)
        return reply.code(204).send()
      },
    })
  }
}
