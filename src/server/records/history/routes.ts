import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentOperations } from '#contract/appointments/appointment-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import type { CalendarsDeps } from '#server/records/calendars/use-cases.ts'
import { getAppointmentHistory } from './use-cases.ts'

/** Route for the history of an appointment, for its owner. */
export function appointmentHistoryRoutes(
  deps: Pick<CalendarsDeps, 'db' | 'baseUrl'>,
  signedIn: OwnerGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...toRoute(appointmentOperations.getAppointmentHistory),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return getAppointmentHistory(deps, ownerId, { calendarId, id })
      },
    })
  }
}
