import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { emailConfirmationOperations } from '#contract/appointments/email-confirmation-operations.ts'
import { clientOfRequest } from '#server/platform/http/client-of-request.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { confirmEmail, type EmailConfirmationsDeps, sendCodeAgain } from './use-cases.ts'

/** Routes for customers who confirm their email address. No login: the appointment's id and the code grant access. */
export function emailConfirmationRoutes(deps: EmailConfirmationsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(emailConfirmationOperations.confirmBookingEmail),
      handler: async (request) =>
        confirmEmail(deps, {
          id: request.params.id,
          code: request.body.code,
          client: clientOfRequest(request),
        }),
    })

    app.route({
      ...toRoute(emailConfirmationOperations.sendBookingCodeAgain),
      handler: async ({ params }, reply) => {
        await sendCodeAgain(deps, params.id)
        return reply.code(204).send()
      },
    })
  }
}
