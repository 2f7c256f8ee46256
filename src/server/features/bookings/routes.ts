import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  cancellationRequestResponse,
  createBookingBody,
  createBookingResponse,
  publicAppointmentSchema,
} from '#contract/bookings.ts'
import { bookingLinkParams } from '#contract/calendars.ts'
import { LIMITS } from '#contract/limits.ts'
import { line } from '#contract/primitives.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import { keepPrivate } from '#server/platform/http/keep-private.ts'
import {
  type BookingsDeps,
  createBooking,
  getPublicAppointment,
  releasePendingAppointment,
  requestCancellation,
} from './use-cases.ts'

/** A malformed id names no appointment: the same answer as for an unknown one. */
const idParams = z.object({ id: z.uuid('appointment.not_found') })
const idempotencyHeaders = z.object({ 'idempotency-key': line(LIMITS.idempotencyKey).min(1).optional() })

/** Booking and cancelling by customers. No session: the appointment's id is what opens it. */
export function bookingRoutes(deps: BookingsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', keepPrivate)

    app.post('/api/public/calendars/:slug/appointments', {
      schema: {
        operationId: 'createAppointment',
        summary: 'Book a time',
        tags: ['Public booking'],
        params: bookingLinkParams,
        headers: idempotencyHeaders,
        body: createBookingBody,
        response: {
          201: createBookingResponse,
          400: problemSchema,
          402: problemSchema,
          404: problemSchema,
          409: problemSchema,
          422: problemSchema,
          429: problemSchema,
        },
      },
      handler: async ({ params, headers, body }, reply) => {
        const key = headers['idempotency-key'] ?? null
        return reply.code(201).send(await createBooking(deps, { slug: params.slug, key, body }))
      },
    })

    app.get('/api/public/appointments/:id', {
      schema: {
        operationId: 'getPublicAppointmentDetails',
        summary: 'One appointment, for whoever has its id',
        tags: ['Public booking'],
        params: idParams,
        response: { 200: publicAppointmentSchema, 404: problemSchema },
      },
      handler: ({ params }) => getPublicAppointment(deps, params.id),
    })

    app.post('/api/public/appointments/:id/cancellation-request', {
      schema: {
        operationId: 'requestCancellation',
        summary: 'Ask the owner to cancel',
        tags: ['Public booking'],
        params: idParams,
        response: { 200: cancellationRequestResponse, 404: problemSchema, 409: problemSchema },
      },
      handler: ({ params }) => requestCancellation(deps, params.id),
    })

    app.delete('/api/public/appointments/:id', {
      schema: {
        operationId: 'deletePendingAppointment',
        summary: 'Give back the time of an unpaid hold',
        tags: ['Public booking'],
        params: idParams,
        response: { 204: z.undefined(), 404: problemSchema, 409: problemSchema },
      },
      handler: async ({ params }, reply) => {
        await releasePendingAppointment(deps, params.id)
        return reply.code(204).send()
      },
    })
  }
}
