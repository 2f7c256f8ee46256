import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentOperations } from '#contract/appointments/appointment-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import {
  type AppointmentsDeps,
  exportAppointments,
  getAgenda,
  getOwnerDay,
  listAppointments,
  listUndeliveredMessages,
  listUpcomingAppointments,
} from './use-cases.ts'

/** Routes for the owner's appointments: list, export, agenda, undelivered messages and dashboard. */
export function appointmentRoutes(deps: AppointmentsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(appointmentOperations.listAppointments),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listAppointments(deps, ownerId, {
          calendarId: request.params.id,
          ...request.query,
        })
      },
    })

    app.route({
      ...serve(appointmentOperations.exportAppointments),
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
        // OpenAPI declares a text response; the body is sent as a stream.
        return reply.send(content as unknown as string)
      },
    })

    app.route({
      ...serve(appointmentOperations.getAppointmentAgenda),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getAgenda(deps, ownerId, {
          calendarId: request.params.id,
          days: { firstDate: request.query.from, dayCount: request.query.days },
        })
      },
    })

    app.route({
      ...serve(appointmentOperations.listUndeliveredMessages),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listUndeliveredMessages(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...serve(appointmentOperations.listUpcomingAppointments),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listUpcomingAppointments(deps, ownerId)
      },
    })

    app.route({
      ...serve(appointmentOperations.getOwnerDay),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getOwnerDay(deps, ownerId)
      },
    })
  }
}
