import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { appointmentLinkParams, createBookingResponse } from '#contract/bookings.ts'
import { emailConfirmationBody } from '#contract/email-confirmations.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import { clientOf } from '#server/platform/http/client-of.ts'
import { keepPrivate } from '#server/platform/http/keep-private.ts'
import { confirmEmail, type EmailConfirmationsDeps, sendCodeAgain } from './use-cases.ts'

const tags = ['Public booking']

/**
 * Confirmation of an email address by customers. There is no session: the appointment's id and the code are the keys.
 */
export function emailConfirmationRoutes(deps: EmailConfirmationsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', keepPrivate)

    app.post('/api/public/appointments/:id/email-confirmation', {
      schema: {
        operationId: 'confirmBookingEmail',
        summary: 'Confirm the email address of a booking with the code that was sent there',
        tags,
        params: appointmentLinkParams,
        body: emailConfirmationBody,
        response: {
          200: createBookingResponse,
          400: problemSchema,
          404: problemSchema,
          409: problemSchema,
          429: problemSchema,
        },
      },
      handler: async (request) =>
        confirmEmail(deps, { id: request.params.id, code: request.body.code, client: clientOf(request) }),
    })

    app.post('/api/public/appointments/:id/email-confirmation/code', {
      schema: {
        operationId: 'sendBookingCodeAgain',
        summary: 'Send the code once more',
        tags,
        params: appointmentLinkParams,
        response: { 204: z.undefined(), 404: problemSchema, 409: problemSchema, 429: problemSchema },
      },
      handler: async ({ params }, reply) => {
        await sendCodeAgain(deps, params.id)
        return reply.code(204).send()
      },
    })
  }
}
