import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerPageOperations } from '#contract/appointments/customer-page-operations.ts'
import { clientOfRequest } from '#server/platform/http/client-of-request.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { type ChangeDetailsDeps, changeManagedDetails } from './change-details.ts'
import { getManagedAppointment, getManagedCalendarFile } from './use-cases.ts'

/** Routes of the customer's page about one appointment. No login: the signed link grants access. */
export function managedAppointmentRoutes(deps: ChangeDetailsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(customerPageOperations.getManagedAppointment),
      handler: (request) => getManagedAppointment(deps, toOpenedSession(request, request.params)),
    })

    app.route({
      ...toRoute(customerPageOperations.changeManagedDetails),
      handler: (request) =>
        changeManagedDetails(deps, toOpenedSession(request, request.params), request.body),
    })

    app.route({
      ...toRoute(customerPageOperations.getManagedCalendarFile),
      handler: async (request, reply) => {
        const file = await getManagedCalendarFile(
          deps,
          toOpenedSession(request, request.params),
          request.query,
        )
        reply.headers({
          'content-type': file.contentType,
          'content-disposition': `attachment; filename="${file.filename}"`,
        })
        return reply.send(file.content)
      },
    })
  }
}

type Params = { readonly token: string }

/** Returns the token of the opened link, with the client and its cookies. */
export function toOpenedSession(request: FastifyRequest, { token }: Params) {
  return { token, client: clientOfRequest(request), cookie: request.headers.cookie }
}
