import { z } from 'zod'
import { ownAppointmentParams } from '#contract/appointments/appointments.ts'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { idOf } from '#contract/shared/primitives.ts'
import { emailLinkBody } from './email-links.ts'
import { appointmentMessageSchema, appointmentMessagesResponse, sendAgainBody } from './messages.ts'
import { reminderPreviewQuery } from './reminder-settings.ts'

const messageParams = ownAppointmentParams.extend({ message_id: idOf('message.not_found') })

/** What was said about an appointment, and what people do with the links of emails. */
export const messageOperations = defineOperations({
  listAppointmentMessages: {
    address: at.listAppointmentMessages,
    summary: 'The messages of an appointment with their state; the planned reminder too',
    tag: 'Appointments',
    forOwners: true,
    params: ownAppointmentParams,
    answers: { 200: appointmentMessagesResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'appointment.not_found'],
  },
  getReminderPreview: {
    address: at.getReminderPreview,
    summary: 'A reminder as it will arrive, with the template that is given',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    query: reminderPreviewQuery,
    answers: {
      200: {
        description: 'The HTML of the email; it runs no script and reaches nothing',
        content: { 'text/html': { schema: z.string() } },
      },
    },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  sendMessageAgain: {
    address: at.sendMessageAgain,
    summary: 'Send a message of an appointment once more; twice the same repetition is one',
    tag: 'Appointments',
    forOwners: true,
    params: messageParams,
    body: sendAgainBody,
    answers: { 200: appointmentMessageSchema },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'appointment.not_found',
      'message.not_found',
      'message.not_true',
      'message.changed_meanwhile',
      'message.sent_often',
    ],
  },
  answerEmail: {
    address: at.answerEmail,
    summary: 'Say that the reader of an email knows of the booking; undoes a stop',
    tag: 'Public booking',
    body: emailLinkBody,
    answers: { 204: z.undefined() },
    problems: ['email_link.invalid'],
  },
  stopEmails: {
    address: at.stopEmails,
    summary: 'Stop emails about appointments to the address that got the link',
    tag: 'Public booking',
    body: emailLinkBody,
    answers: { 204: z.undefined() },
    problems: ['email_link.invalid'],
  },
})
