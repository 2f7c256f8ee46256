import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerPageOperations } from '#contract/appointments/customer-page-operations.ts'
import { clientOfRequest } from '#server/platform/http/client-of-request.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { type CancellationsDeps, cancelManagedAppointment } from './use-cases.ts'

/** Route for customers who cancel. No login: the signed link grants access. */
export function cancellationRoutes(deps: CancellationsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(customerPageOperations.cancelManagedAppointment),
      handler: (request) => {
        const opened = {
          token: request.params.token,
          client: clientOfRequest(request),
          cookie: request.headers.cookie,
        }
        return cancelManagedAppointment(deps, opened, request.body)
      },
    })
  }
}
