import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerPageOperations } from '#contract/appointments/customer-page-operations.ts'
import { clientOf } from '#server/platform/http/client-of.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { type CancellationsDeps, cancelManaged } from './use-cases.ts'

/** Route for customers who cancel. No login: the signed link grants access. */
export function cancellationRoutes(deps: CancellationsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...serve(customerPageOperations.cancelManagedAppointment),
      handler: (request) => {
        const opened = {
          token: request.params.token,
          client: clientOf(request),
          cookie: request.headers.cookie,
        }
        return cancelManaged(deps, opened, request.body)
      },
    })
  }
}
