import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { appointmentLinkParams, idempotencyHeaders } from '#contract/bookings.ts'
import { bookingLinkParams } from '#contract/calendars.ts'
import { createCheckoutBody, createCheckoutResponse, paymentOutcome } from '#contract/checkouts.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import { keepPrivate } from '#server/platform/http/keep-private.ts'
import type { PublicCallerOf } from '#server/platform/http/public-caller.ts'
import { type CheckoutsDeps, createCheckout, releasePendingAppointment, settlePayment } from './use-cases.ts'

/** Payments by customers. There is no session: the appointment's id is the key. */
export function checkoutRoutes(deps: CheckoutsDeps, callerOf: PublicCallerOf): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', keepPrivate)

    app.post('/api/public/calendars/:slug/checkouts', {
      schema: {
        operationId: 'createCheckout',
        summary: 'Hold a time and go to the provider to pay for it',
        tags: ['Public booking'],
        params: bookingLinkParams,
        headers: idempotencyHeaders,
        body: createCheckoutBody,
        response: {
          201: createCheckoutResponse,
          400: problemSchema,
          404: problemSchema,
          409: problemSchema,
          422: problemSchema,
          429: problemSchema,
          502: problemSchema,
        },
      },
      handler: async (request, reply) => {
        const { params, headers, body } = request
        const key = headers['idempotency-key'] ?? null
        const caller = await callerOf(request)
        return reply.code(201).send(await createCheckout(deps, { slug: params.slug, key, body, caller }))
      },
    })

    app.post('/api/public/appointments/:id/payment', {
      schema: {
        operationId: 'settlePayment',
        summary: 'Ask the provider how the payment of an appointment stands, and act on it',
        tags: ['Public booking'],
        params: appointmentLinkParams,
        response: { 200: paymentOutcome, 404: problemSchema },
      },
      handler: ({ params }) => settlePayment(deps, params.id),
    })

    app.delete('/api/public/appointments/:id', {
      schema: {
        operationId: 'deletePendingAppointment',
        summary: 'Give back the time of an unpaid hold',
        tags: ['Public booking'],
        params: appointmentLinkParams,
        response: { 204: z.undefined(), 404: problemSchema, 409: problemSchema },
      },
      handler: async ({ params }, reply) => {
        await releasePendingAppointment(deps, params.id)
        return reply.code(204).send()
      },
    })
  }
}
