import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentOperations } from '#contract/appointments/appointment-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { markNoShow } from './no-show-use-cases.ts'
import { settleRefund } from './refund-use-cases.ts'
import { type AppointmentActionsDeps, actOnAppointment } from './use-cases.ts'

/** Routes for an owner's actions on an appointment and its payment. */
export function appointmentActionRoutes(
  deps: AppointmentActionsDeps,
  signedIn: SignedInGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(appointmentOperations.actOnAppointment),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return actOnAppointment(deps, ownerId, { calendarId, id }, request.body)
      },
    })

    app.route({
      ...serve(appointmentOperations.markNoShow),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return markNoShow(deps, ownerId, { calendarId, id }, request.body.no_show)
      },
    })

    app.route({
      ...serve(appointmentOperations.settleRefund),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        await settleRefund(deps, ownerId, { calendarId, id }, request.body)
        return reply.code(204).send()
      },
    })
  }
}
