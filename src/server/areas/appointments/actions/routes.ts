import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentOperations } from '#contract/appointments/appointment-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { markNoShow } from './no-show-use-cases.ts'
import { resolveOutstandingRefund } from './refund-use-cases.ts'
import { type AppointmentActionsDeps, performOwnerAction } from './use-cases.ts'

/** Routes for an owner's actions on an appointment and its payment. */
export function appointmentActionRoutes(
  deps: AppointmentActionsDeps,
  signedIn: OwnerGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(appointmentOperations.actOnAppointment),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return performOwnerAction(deps, ownerId, { calendarId, id }, request.body)
      },
    })

    app.route({
      ...toRoute(appointmentOperations.markNoShow),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return markNoShow(deps, ownerId, { calendarId, id }, request.body.no_show)
      },
    })

    app.route({
      ...toRoute(appointmentOperations.settleRefund),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        await resolveOutstandingRefund(deps, ownerId, { calendarId, id }, request.body)
        return reply.code(204).send()
      },
    })
  }
}
