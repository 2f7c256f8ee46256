import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentOperations } from '#contract/appointments/appointment-operations.ts'
import { questionOperations } from '#contract/appointments/question-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  type AnswersDeps,
  exportAppointments,
  getAgenda,
  getAppointment,
  getAppointmentAnswers,
  getOwnerDay,
  listAppointments,
  listUndeliveredMessages,
  listUpcomingAppointments,
} from './use-cases.ts'

/** Routes for the owner's appointments: list, export, agenda, undelivered messages and dashboard. */
export function appointmentRoutes(deps: AnswersDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(appointmentOperations.listAppointments),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listAppointments(deps, ownerId, {
          calendarId: request.params.id,
          ...request.query,
        })
      },
    })

    app.route({
      ...toRoute(appointmentOperations.getAppointment),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getAppointment(deps, ownerId, {
          calendarId: request.params.id,
          id: request.params.appointment_id,
        })
      },
    })

    app.route({
      ...toRoute(questionOperations.getAppointmentAnswers),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: id } = request.params
        reply.header('cache-control', 'private, no-store')
        return getAppointmentAnswers(deps, ownerId, { calendarId, id })
      },
    })

    app.route({
      ...toRoute(appointmentOperations.exportAppointments),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const choice = { calendarId: request.params.id, ...request.query }
        return sendCsv(reply, await exportAppointments(deps, ownerId, choice))
      },
    })

    app.route({
      ...toRoute(appointmentOperations.getAppointmentAgenda),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getAgenda(deps, ownerId, {
          calendarId: request.params.id,
          days: { firstDate: request.query.from, dayCount: request.query.days },
        })
      },
    })

    app.route({
      ...toRoute(appointmentOperations.listUndeliveredMessages),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listUndeliveredMessages(deps, ownerId, { calendarId: request.params.id })
      },
    })

    app.route({
      ...toRoute(appointmentOperations.listAllAppointments),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listAppointments(deps, ownerId, request.query)
      },
    })

    app.route({
      ...toRoute(appointmentOperations.getOwnAppointment),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getAppointment(deps, ownerId, { id: request.params.appointment_id })
      },
    })

    app.route({
      ...toRoute(appointmentOperations.exportAllAppointments),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return sendCsv(reply, await exportAppointments(deps, ownerId, request.query))
      },
    })

    app.route({
      ...toRoute(appointmentOperations.getAllAppointmentsAgenda),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { from, days, time_zone } = request.query
        return getAgenda(deps, ownerId, { time_zone, days: { firstDate: from, dayCount: days } })
      },
    })

    app.route({
      ...toRoute(appointmentOperations.listAllUndeliveredMessages),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listUndeliveredMessages(deps, ownerId, {})
      },
    })

    app.route({
      ...toRoute(appointmentOperations.listUpcomingAppointments),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listUpcomingAppointments(deps, ownerId)
      },
    })

    app.route({
      ...toRoute(appointmentOperations.getOwnerDay),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getOwnerDay(deps, ownerId)
      },
    })
  }
}

/** Sends an export as a private attachment. Returns the stream as a string, because OpenAPI declares a text response. */
function sendCsv(reply: FastifyReply, { name, content }: { name: string; content: Readable }): string {
  return reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
    })
    .send(content) as unknown as string
}
