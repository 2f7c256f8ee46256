import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerMoveOperations } from '#contract/appointments/customer-move-operations.ts'
import { clientOf } from '#server/platform/http/client-of.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
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
      ...serve(customerMoveOperations.getMoveTerms),
      handler: (request) => getMoveTerms(deps, { token: request.params.token, client: clientOf(request) }),
    })

    app.route({
      ...serve(customerMoveOperations.listMoveSlots),
      handler: (request) =>
        listMoveSlots(deps, { token: request.params.token, client: clientOf(request) }, request.query),
    })

    app.route({
      ...serve(customerMoveOperations.listMoveDays),
      handler: (request) =>
        listMoveDays(deps, { token: request.params.token, client: clientOf(request) }, request.query),
    })

    app.route({
      ...serve(customerMoveOperations.moveManagedAppointment),
      handler: (request) =>
        moveManagedAppointment(
          deps,
          { token: request.params.token, client: clientOf(request) },
          request.body,
        ),
    })
  }
}
