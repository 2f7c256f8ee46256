import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { bookingOperations } from '#contract/appointments/booking-operations.ts'
import type { GetPublicCaller, OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { type CustomerBookingDeps, createBooking } from './customer-booking.ts'
import type { OwnerBookingDeps } from './deps.ts'
import { explainPastStart } from './explain-past-start.ts'
import { checkAppointmentTime, createOwnAppointment } from './owner-booking.ts'
import { getPublicAppointment, requestCancellation } from './use-cases.ts'

/** Routes for customers: book, read an appointment, request a cancellation. No login: the appointment's id grants access. */
export function bookingRoutes(deps: CustomerBookingDeps, callerOf: GetPublicCaller): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(bookingOperations.createAppointment),
      handler: async (request, reply) => {
        const { params, headers, body } = request
        const key = headers['idempotency-key'] ?? null
        const caller = await callerOf(request)
        return reply.code(201).send(await createBooking(deps, { slug: params.slug, key, body, caller }))
      },
    })

    app.route({
      ...toRoute(bookingOperations.getPublicAppointmentDetails),
      handler: ({ params }) => getPublicAppointment(deps, params.id),
    })

    app.route({
      ...toRoute(bookingOperations.requestCancellation),
      handler: ({ params, query }) => requestCancellation(deps, params.id, query.expected_starts_at),
    })
  }
}

/** Routes for owners who book for a customer on the phone or at the practice. */
export function ownerBookingRoutes(deps: OwnerBookingDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(bookingOperations.createOwnAppointment),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const key = request.headers['idempotency-key'] ?? null
        const input = { calendarId: request.params.id, key, body: request.body }
        return reply.code(201).send(await createOwnAppointment(deps, ownerId, input))
      },
    })

    app.route({
      ...toRoute(bookingOperations.explainPastTime),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return explainPastStart(deps, ownerId, request.params.id, request.query)
      },
    })

    app.route({
      ...toRoute(bookingOperations.judgeAppointmentTime),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return checkAppointmentTime(deps, ownerId, { calendarId: request.params.id, when: request.query })
      },
    })
  }
}
