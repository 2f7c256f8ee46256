import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentOperations } from '#contract/appointments/appointment-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { sendPrivateHeaders } from '#server/platform/http/send-html.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import type { CalendarsDeps } from '#server/records/calendars/use-cases.ts'
import { getAppointmentHistory } from './use-cases.ts'

/** Route for the history of an appointment, for its owner. */
export function appointmentHistoryRoutes(
  deps: Pick<CalendarsDeps, 'db' | 'baseUrl'>,
  signedIn: SignedInGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', sendPrivateHeaders)

    app.route({
      ...serve(appointmentOperations.getAppointmentHistory),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return getAppointmentHistory(deps, ownerId, { calendarId, id })
      },
    })
  }
}
