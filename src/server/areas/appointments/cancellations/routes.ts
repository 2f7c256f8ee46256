import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerPageOperations } from '#contract/appointments/customer-page-operations.ts'
import { toOpenedSession } from '#server/areas/appointments/customer-page/routes.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { type CancellationsDeps, cancelManagedAppointment, cancelManagedDates } from './use-cases.ts'

/** Routes for customers who cancel. No login: the signed link grants access. */
export function cancellationRoutes(deps: CancellationsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(customerPageOperations.cancelManagedAppointment),
      handler: (request) =>
        cancelManagedAppointment(deps, toOpenedSession(request, request.params), request.body),
    })

    app.route({
      ...toRoute(customerPageOperations.cancelManagedDates),
      handler: (request) => cancelManagedDates(deps, toOpenedSession(request, request.params), request.body),
    })
  }
}
