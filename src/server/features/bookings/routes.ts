import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  appointmentLinkParams,
  cancellationRequestResponse,
  createBookingBody,
  createBookingResponse,
  idempotencyHeaders,
  publicAppointmentSchema,
} from '#contract/bookings.ts'
import { bookingLinkParams } from '#contract/calendars.ts'
import {
  appointmentTimeQuery,
  appointmentTimeResponse,
  createOwnAppointmentBody,
  createOwnAppointmentResponse,
} from '#contract/owner-booking.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import { keepPrivate } from '#server/platform/http/keep-private.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import type { PublicCallerOf } from '#server/platform/http/public-caller.ts'
import { type CustomerBookingDeps, createBooking } from './customer-booking.ts'
import type { BookingsDeps } from './deps.ts'
import { createOwnAppointment, judgeAppointmentTime } from './owner-booking.ts'
import { getPublicAppointment, requestCancellation } from './use-cases.ts'

/** Booking and cancelling by customers. No session: the appointment's id is what opens it. */
export function bookingRoutes(deps: CustomerBookingDeps, callerOf: PublicCallerOf): FastifyPluginAsyncZod {
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
      handler: async (request, reply) => {
        const { params, headers, body } = request
        const key = headers['idempotency-key'] ?? null
        const caller = await callerOf(request)
        return reply.code(201).send(await createBooking(deps, { slug: params.slug, key, body, caller }))
      },
    })

    app.get('/api/public/appointments/:id', {
      schema: {
        operationId: 'getPublicAppointmentDetails',
        summary: 'One appointment, for whoever has its id',
        tags: ['Public booking'],
        params: appointmentLinkParams,
        response: { 200: publicAppointmentSchema, 404: problemSchema },
      },
      handler: ({ params }) => getPublicAppointment(deps, params.id),
    })

    app.post('/api/public/appointments/:id/cancellation-request', {
      schema: {
        operationId: 'requestCancellation',
        summary: 'Ask the owner to cancel',
        tags: ['Public booking'],
        params: appointmentLinkParams,
        response: { 200: cancellationRequestResponse, 404: problemSchema, 409: problemSchema },
      },
      handler: ({ params }) => requestCancellation(deps, params.id),
    })
  }
}

/** Booking by the owner, for somebody who phones or walks in. */
export function ownerBookingRoutes(deps: BookingsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', keepPrivate)

    app.post('/api/calendars/:id/appointments', {
      schema: {
        operationId: 'createOwnAppointment',
        summary: 'Book a time for a customer, outside hours too when that is asked for',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: calendarParams,
        headers: idempotencyHeaders,
        body: createOwnAppointmentBody,
        response: {
          201: createOwnAppointmentResponse,
          ...ownerRefusals,
          409: problemSchema,
          422: problemSchema,
        },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const key = request.headers['idempotency-key'] ?? null
        const input = { calendarId: request.params.id, key, body: request.body }
        return reply.code(201).send(await createOwnAppointment(deps, ownerId, input))
      },
    })

    app.get('/api/calendars/:id/appointment-time', {
      schema: {
        operationId: 'judgeAppointmentTime',
        summary: 'How a time stands that the owner thinks of booking',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: calendarParams,
        querystring: appointmentTimeQuery,
        response: { 200: appointmentTimeResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return judgeAppointmentTime(deps, ownerId, { calendarId: request.params.id, when: request.query })
      },
    })
  }
}
