import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { bookingOperations } from '#contract/appointments/booking-operations.ts'
import type { OwnerBookingDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { bookTestAppointment, removeTestAppointment } from './use-cases.ts'

/** Routes for an owner who tries a booking out. Source: rule U34. */
export function testAppointmentRoutes(deps: OwnerBookingDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(bookingOperations.bookTestAppointment),
      handler: async (request) => bookTestAppointment(deps, await signedIn(request), request.params.id),
    })

    app.route({
      ...toRoute(bookingOperations.removeTestAppointment),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await removeTestAppointment(deps, ownerId, request.params.id)
        return reply.code(204).send()
      },
    })
  }
}
