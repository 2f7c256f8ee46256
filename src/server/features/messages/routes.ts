import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { appointmentMessageSchema, appointmentMessagesResponse, sendAgainBody } from '#contract/messages.ts'
import { idOf } from '#contract/primitives.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import { reminderPreviewQuery } from '#contract/reminder-settings.ts'
import { sendMailPage } from '#server/platform/http/mail-page.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import { getReminderPreview } from './get-reminder-preview.ts'
import { listAppointmentMessages, type MessagesDeps, sendMessageAgain } from './owner-use-cases.ts'

const appointmentParams = calendarParams.extend({ appointment_id: idOf('appointment.not_found') })
const messageParams = appointmentParams.extend({ message_id: idOf('message.not_found') })

/** What was said about an appointment, and what became of it. */
export function messageRoutes(deps: MessagesDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/calendars/:id/appointments/:appointment_id/messages', {
      schema: {
        operationId: 'listAppointmentMessages',
        summary: 'The messages of an appointment with their state; the planned reminder too',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: appointmentParams,
        response: { 200: appointmentMessagesResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: appointmentId } = request.params
        return listAppointmentMessages(deps, ownerId, { calendarId, appointmentId })
      },
    })

    app.get('/api/calendars/:id/reminder-preview', {
      schema: {
        operationId: 'getReminderPreview',
        summary: 'A reminder as it will arrive, with the template that is given',
        tags: ['Calendars'],
        security: ownerSecurity,
        params: calendarParams,
        querystring: reminderPreviewQuery,
        response: {
          200: {
            description: 'The HTML of the email; it runs no script and reaches nothing',
            content: { 'text/html': { schema: z.string() } },
          },
          ...ownerRefusals,
        },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { template } = request.query
        const mail = await getReminderPreview(deps, ownerId, { calendarId: request.params.id, template })
        return sendMailPage(reply, mail)
      },
    })

    app.post('/api/calendars/:id/appointments/:appointment_id/messages/:message_id/send-again', {
      schema: {
        operationId: 'sendMessageAgain',
        summary: 'Send a message of an appointment once more; twice the same repetition is one',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: messageParams,
        body: sendAgainBody,
        response: { 200: appointmentMessageSchema, ...ownerRefusals, 409: problemSchema, 429: problemSchema },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, appointment_id: appointmentId, message_id: messageId } = request.params
        const { repeat } = request.body
        return sendMessageAgain(deps, ownerId, { calendarId, appointmentId, messageId, repeat })
      },
    })
  }
}
