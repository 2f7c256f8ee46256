import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  appointmentsQuery,
  appointmentsResponse,
  upcomingAppointmentsResponse,
} from '#contract/appointments.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import { type AppointmentsDeps, listAppointments, listUpcomingAppointments } from './use-cases.ts'

/** The owner's view of what customers booked. */
export function appointmentRoutes(deps: AppointmentsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/calendars/:id/appointments', {
      schema: {
        operationId: 'listAppointments',
        summary: 'A page of appointments with the exact total, 10 a page',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: calendarParams,
        querystring: appointmentsQuery,
        response: { 200: appointmentsResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listAppointments(deps, ownerId, {
          calendarId: request.params.id,
          filter: request.query.filter,
          page: request.query.page,
        })
      },
    })

    app.get('/api/appointments/upcoming', {
      schema: {
        operationId: 'listUpcomingAppointments',
        summary: 'The next appointments over all my calendars',
        tags: ['Appointments'],
        security: ownerSecurity,
        response: { 200: upcomingAppointmentsResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listUpcomingAppointments(deps, ownerId)
      },
    })
  }
}
