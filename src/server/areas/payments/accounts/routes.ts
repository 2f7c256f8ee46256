import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { paymentOperations } from '#contract/payments/payment-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { connectAccountOfCalendar } from './connect-account-of-calendar.ts'
import { completeConnection, createConnectUrl, disconnectProvider } from './connection-use-cases.ts'
import { getPaymentSettings, type PaymentsDeps, savePaymentSettings } from './use-cases.ts'

/** Routes for the payment settings of calendars and their accounts at providers. */
export function paymentRoutes(deps: PaymentsDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(paymentOperations.getPaymentSettings),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getPaymentSettings(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(paymentOperations.savePaymentSettings),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return savePaymentSettings(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(paymentOperations.createConnectUrl),
      handler: async (request) => {
        const session = await signedIn(request)
        const { id: calendarId, provider } = request.params
        return createConnectUrl(deps, session, { calendarId, provider })
      },
    })

    app.route({
      ...toRoute(paymentOperations.connectAccountOfCalendar),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, provider } = request.params
        return connectAccountOfCalendar(deps, ownerId, {
          calendarId,
          provider,
          sourceId: request.body.calendar_id,
        })
      },
    })

    app.route({
      ...toRoute(paymentOperations.disconnectProvider),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, provider } = request.params
        await disconnectProvider(deps, ownerId, { calendarId, provider })
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(paymentOperations.completeConnection),
      handler: async (request) => completeConnection(deps, await signedIn(request), request.body),
    })
  }
}
