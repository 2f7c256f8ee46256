import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerPageOperations } from '#contract/appointments/customer-page-operations.ts'
import { toOpenedSession } from '#server/areas/appointments/customer-page/routes.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  beginCustomerSession,
  type CustomerSessionDeps,
  eraseOwnRecord,
  exportOwnRecord,
  listManagedAppointments,
  sendCustomerCode,
} from './session-use-cases.ts'

/**
 * Routes for a customer's full list of appointments and their record. Besides the signed link, they require an emailed
 * code. Once the customer has entered it, the cookie of a short session is enough.
 */
export function customerSessionRoutes(deps: CustomerSessionDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(customerPageOperations.sendCustomerCode),
      handler: async (request, reply) => {
        await sendCustomerCode(deps, toOpenedSession(request, request.params))
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(customerPageOperations.beginCustomerSession),
      handler: async (request, reply) => {
        const opened = toOpenedSession(request, request.params)
        const cookie = await beginCustomerSession(deps, opened, request.body.code)
        return reply.header('set-cookie', cookie).code(204).send()
      },
    })

    app.route({
      ...toRoute(customerPageOperations.endCustomerSession),
      handler: async (_request, reply) =>
        reply.header('set-cookie', deps.customerSessions.end()).code(204).send(),
    })

    app.route({
      ...toRoute(customerPageOperations.listManagedAppointments),
      handler: (request) => listManagedAppointments(deps, toOpenedSession(request, request.params)),
    })

    app.route({
      ...toRoute(customerPageOperations.exportOwnRecord),
      handler: (request) => exportOwnRecord(deps, toOpenedSession(request, request.params)),
    })

    app.route({
      ...toRoute(customerPageOperations.eraseOwnRecord),
      handler: async (request, reply) => {
        const cookie = await eraseOwnRecord(deps, toOpenedSession(request, request.params))
        return reply.header('set-cookie', cookie).code(204).send()
      },
    })
  }
}
