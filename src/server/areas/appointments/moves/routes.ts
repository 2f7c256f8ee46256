import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { moveOperations } from '#contract/appointments/move-operations.ts'
import type { ExternalCheckDeps, MoveDeps } from '#server/areas/appointments/bookings/deps.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { checkMoveTime, listOwnMoveSlots, moveOwnAppointment } from './use-cases.ts'

/** Routes for owners who move an appointment. */
export function appointmentMoveRoutes(
  deps: MoveDeps & ExternalCheckDeps,
  signedIn: OwnerGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(moveOperations.moveAppointment),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return moveOwnAppointment(deps, ownerId, { calendarId, id }, request.body)
      },
    })

    app.route({
      ...toRoute(moveOperations.judgeMove),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return checkMoveTime(deps, ownerId, { calendarId, id }, request.query)
      },
    })

    app.route({
      ...toRoute(moveOperations.listOwnMoveSlots),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return listOwnMoveSlots(deps, ownerId, { calendarId, id }, request.query)
      },
    })
  }
}
