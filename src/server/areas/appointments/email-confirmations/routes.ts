import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { emailConfirmationOperations } from '#contract/appointments/email-confirmation-operations.ts'
import { clientOf } from '#server/platform/http/client-of.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { confirmEmail, type EmailConfirmationsDeps, sendCodeAgain } from './use-cases.ts'

/** Routes for customers who confirm their email address. No login: the appointment's id and the code grant access. */
export function emailConfirmationRoutes(deps: EmailConfirmationsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...serve(emailConfirmationOperations.confirmBookingEmail),
      handler: async (request) =>
        confirmEmail(deps, { id: request.params.id, code: request.body.code, client: clientOf(request) }),
    })

    app.route({
      ...serve(emailConfirmationOperations.sendBookingCodeAgain),
      handler: async ({ params }, reply) => {
        await sendCodeAgain(deps, params.id)
        return reply.code(204).send()
      },
    })
  }
}
