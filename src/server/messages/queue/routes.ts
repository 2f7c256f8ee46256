import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentOperations } from '#contract/appointments/appointment-operations.ts'
import { messageOperations } from '#contract/messages/message-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { sendMailPage } from '#server/platform/http/mail-page.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { announceDelay } from './announce-delay.ts'
import { getReminderPreview } from './get-reminder-preview.ts'
import { listAppointmentMessages, type MessagesDeps, sendMessageAgain } from './owner-use-cases.ts'

/** Routes for the messages about an appointment and their delivery. */
export function messageRoutes(deps: MessagesDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(messageOperations.listAppointmentMessages),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: appointmentId } = request.params
        return listAppointmentMessages(deps, ownerId, { calendarId, appointmentId })
      },
    })

    app.route({
      ...serve(appointmentOperations.tellDelay),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: appointmentId } = request.params
        return announceDelay(deps, ownerId, { calendarId, appointmentId, ...request.body })
      },
    })

    app.route({
      ...serve(messageOperations.getReminderPreview),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { template } = request.query
        const mail = await getReminderPreview(deps, ownerId, { calendarId: request.params.id, template })
        return sendMailPage(reply, mail)
      },
    })

    app.route({
      ...serve(messageOperations.sendMessageAgain),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: appointmentId, message_id: messageId } = request.params
        const { repeat } = request.body
        return sendMessageAgain(deps, ownerId, { calendarId, appointmentId, messageId, repeat })
      },
    })
  }
}
