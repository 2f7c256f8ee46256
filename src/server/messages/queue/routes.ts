import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentOperations } from '#contract/appointments/appointment-operations.ts'
import { messageOperations } from '#contract/messages/message-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { sendMailPage } from '#server/platform/http/mail-page.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { announceDelay } from './announce-delay.ts'
import { getReminderPreview } from './get-reminder-preview.ts'
import { listAppointmentMessages, type MessagesDeps, sendMessageAgain } from './owner-use-cases.ts'

/** Routes for the messages about an appointment and their delivery. */
export function messageRoutes(deps: MessagesDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(messageOperations.listAppointmentMessages),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: appointmentId } = request.params
        return listAppointmentMessages(deps, ownerId, { calendarId, appointmentId })
      },
    })

    app.route({
      ...toRoute(appointmentOperations.tellDelay),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: appointmentId } = request.params
        return announceDelay(deps, ownerId, { calendarId, appointmentId, ...request.body })
      },
    })

    app.route({
      ...toRoute(messageOperations.getReminderPreview),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { template } = request.query
        const mail = await getReminderPreview(deps, ownerId, { calendarId: request.params.id, template })
        return sendMailPage(reply, mail)
      },
    })

    app.route({
      ...toRoute(messageOperations.sendMessageAgain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: appointmentId, message_id: messageId } = request.params
        const { repeat } = request.body
        return sendMessageAgain(deps, ownerId, { calendarId, appointmentId, messageId, repeat })
      },
    })
  }
}
