import { z } from 'zod'
import { ownerAppointmentParams } from '#contract/appointments/appointments.ts'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { idSchemaWithError } from '#contract/shared/primitives.ts'
import { emailLinkBody } from './email-links.ts'
import { appointmentMessageSchema, appointmentMessagesResponse, resendMessageBody } from './messages.ts'
import { reminderPreviewQuery } from './reminder-settings.ts'

const messageParams = ownerAppointmentParams.extend({ message_id: idSchemaWithError('message.not_found') })

/** Operations on an appointment's messages, and on the links in emails. */
export const messageOperations = defineOperations({
  listAppointmentMessages: {
    address: at.listAppointmentMessages,
    summary: 'The messages of an appointment with their state; the planned reminder too',
    tag: 'Appointments',
    forOwners: true,
    params: ownerAppointmentParams,
    answers: { 200: appointmentMessagesResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'appointment.not_found'],
  },
  getReminderPreview: {
    address: at.getReminderPreview,
    summary: 'Preview a reminder with a template',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    query: reminderPreviewQuery,
    answers: {
      200: {
        description: 'The HTML of the email, which cannot run scripts or load anything',
        content: { 'text/html': { schema: z.string() } },
      },
    },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  sendMessageAgain: {
    address: at.sendMessageAgain,
    summary: 'Send a message of an appointment again; idempotent for each repetition',
    tag: 'Appointments',
    forOwners: true,
    params: messageParams,
    body: resendMessageBody,
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
    summary:
      'Confirm that the reader of an email expects it; emails to this address resume if they were stopped',
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
