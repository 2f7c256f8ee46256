import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  agendaQuery,
  agendaResponse,
  appointmentsExportQuery,
  appointmentsQuery,
  appointmentsResponse,
  undeliveredMessagesResponse,
  upcomingAppointmentsResponse,
} from '#contract/appointments.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import {
  type AppointmentsDeps,
  exportAppointments,
  getAgenda,
  listAppointments,
  listUndeliveredMessages,
  listUpcomingAppointments,
} from './use-cases.ts'

/** The owner's view of booked appointments. */
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
          ...request.query,
        })
      },
    })

    app.get('/api/calendars/:id/appointments.csv', {
      schema: {
        operationId: 'exportAppointments',
        summary: 'The list as a CSV file, all pages of it',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: calendarParams,
        querystring: appointmentsExportQuery,
        response: {
          200: {
            description: 'UTF-8 with a byte order mark, as RFC 4180 says',
            content: { 'text/csv': { schema: z.string() } },
          },
          ...ownerRefusals,
        },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { name, content } = await exportAppointments(deps, ownerId, {
          calendarId: request.params.id,
          ...request.query,
        })
        reply.headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'private, no-store',
        })
        // The OpenAPI document says what arrives, a text. It is sent as a stream.
        return reply.send(content as unknown as string)
      },
    })

    app.get('/api/calendars/:id/appointments/agenda', {
      schema: {
        operationId: 'getAppointmentAgenda',
        summary: 'Up to seven days in a row with their appointments and opening hours',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: calendarParams,
        querystring: agendaQuery,
        response: { 200: agendaResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getAgenda(deps, ownerId, {
          calendarId: request.params.id,
          days: { firstDate: request.query.from, dayCount: request.query.days },
        })
      },
    })

    app.get('/api/calendars/:id/undelivered-messages', {
      schema: {
        operationId: 'listUndeliveredMessages',
        summary: 'How many messages were given up, and the appointments to come that they are about',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: calendarParams,
        response: { 200: undeliveredMessagesResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listUndeliveredMessages(deps, ownerId, request.params.id)
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
