import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { moveOperations } from '#contract/appointments/move-operations.ts'
import type { ExternalCheckDeps, MoveDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { judgeMove, listOwnMoveSlots, moveOwnAppointment } from './use-cases.ts'

/** Routes for owners who move an appointment. */
export function appointmentMoveRoutes(
  deps: MoveDeps & ExternalCheckDeps,
  signedIn: SignedInGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...serve(moveOperations.moveAppointment),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return moveOwnAppointment(deps, ownerId, { calendarId, id }, request.body)
      },
    })

    app.route({
      ...serve(moveOperations.judgeMove),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return judgeMove(deps, ownerId, { calendarId, id }, request.query)
      },
    })

    app.route({
      ...serve(moveOperations.listOwnMoveSlots),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return listOwnMoveSlots(deps, ownerId, { calendarId, id }, request.query.date)
      },
    })
  }
}
