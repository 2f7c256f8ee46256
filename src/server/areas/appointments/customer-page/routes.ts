import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerPageOperations } from '#contract/appointments/customer-page-operations.ts'
import { clientOf } from '#server/platform/http/client-of.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { type ChangeDetailsDeps, changeManagedDetails } from './change-details.ts'
import { getManagedAppointment, getManagedCalendarFile } from './use-cases.ts'

/** Routes of the customer's page about one appointment. No login: the signed link grants access. */
export function managedAppointmentRoutes(deps: ChangeDetailsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...serve(customerPageOperations.getManagedAppointment),
      handler: (request) => getManagedAppointment(deps, toOpenedSession(request, request.params)),
    })

    app.route({
      ...serve(customerPageOperations.changeManagedDetails),
      handler: (request) =>
        changeManagedDetails(deps, toOpenedSession(request, request.params), request.body),
    })

    app.route({
      ...serve(customerPageOperations.getManagedCalendarFile),
      handler: async (request, reply) => {
        const file = await getManagedCalendarFile(deps, toOpenedSession(request, request.params))
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
  return { token, client: clientOf(request), cookie: request.headers.cookie }
}
