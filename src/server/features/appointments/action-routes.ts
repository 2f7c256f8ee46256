import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentActionBody, appointmentActionResponse } from '#contract/appointment-actions.ts'
import { idOf } from '#contract/primitives.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import { type AppointmentActionsDeps, actOnAppointment } from './action-use-cases.ts'

const appointmentParams = calendarParams.extend({ appointment_id: idOf('appointment.not_found') })

/** The actions of an owner on an appointment and its payment. */
export function appointmentActionRoutes(
  deps: AppointmentActionsDeps,
  signedIn: SignedInGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.post('/api/calendars/:id/appointments/:appointment_id/actions', {
      schema: {
        operationId: 'actOnAppointment',
        summary: 'Change the status of an appointment or of its payment; customer and owner are told',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: appointmentParams,
        body: appointmentActionBody,
        response: {
          200: appointmentActionResponse,
          ...ownerRefusals,
          409: problemSchema,
          502: problemSchema,
        },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        return actOnAppointment(deps, ownerId, { calendarId, id }, request.body)
      },
    })
  }
}
