import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerMoveOperations } from '#contract/appointments/customer-move-operations.ts'
import { clientOfRequest } from '#server/platform/http/client-of-request.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  type CustomerMoveDeps,
  getMoveTerms,
  listMoveDays,
  listMoveSlots,
  moveManagedAppointment,
} from './customer-use-cases.ts'

/** Routes for customers who move their appointment. No login: the signed link grants access. */
export function customerMoveRoutes(deps: CustomerMoveDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(customerMoveOperations.getMoveTerms),
      handler: (request) =>
        getMoveTerms(deps, { token: request.params.token, client: clientOfRequest(request) }),
    })

    app.route({
      ...toRoute(customerMoveOperations.listMoveSlots),
      handler: (request) =>
        listMoveSlots(deps, { token: request.params.token, client: clientOfRequest(request) }, request.query),
    })

    app.route({
      ...toRoute(customerMoveOperations.listMoveDays),
      handler: (request) =>
        listMoveDays(deps, { token: request.params.token, client: clientOfRequest(request) }, request.query),
    })

    app.route({
      ...toRoute(customerMoveOperations.moveManagedAppointment),
      handler: (request) =>
        moveManagedAppointment(
          deps,
          { token: request.params.token, client: clientOfRequest(request) },
          request.body,
        ),
    })
  }
}
