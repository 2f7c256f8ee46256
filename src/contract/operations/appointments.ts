import { z } from 'zod'
import { appointmentActionBody, appointmentActionResponse } from '#contract/appointment-actions.ts'
import {
  agendaQuery,
  agendaResponse,
  appointmentsExportQuery,
  appointmentsQuery,
  appointmentsResponse,
  ownAppointmentParams,
  ownerDayResponse,
  tellDelayBody,
  tellDelayResponse,
  undeliveredMessagesResponse,
  upcomingAppointmentsResponse,
} from '#contract/appointments.ts'
import { calendarParams } from '#contract/calendars.ts'
import * as at from './addresses.ts'
import { defineOperations } from './operation.ts'

/** The owner's view of what customers booked, and what an owner does to an appointment. */
export const appointmentOperations = defineOperations({
  listAppointments: {
    address: at.listAppointments,
    summary: 'A page of appointments with the exact total, 10 a page',
    tag: 'Appointments',
    forOwners: true,
    params: calendarParams,
    query: appointmentsQuery,
    answers: { 200: appointmentsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  exportAppointments: {
    address: at.exportAppointments,
    summary: 'The list as a CSV file, all pages of it',
    tag: 'Appointments',
    forOwners: true,
    params: calendarParams,
    query: appointmentsExportQuery,
    answers: {
      200: {
        description: 'UTF-8 with a byte order mark, as RFC 4180 says',
        content: { 'text/csv': { schema: z.string() } },
      },
    },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  getAppointmentAgenda: {
    address: at.getAppointmentAgenda,
    summary: 'Up to seven days in a row with their appointments and opening hours',
    tag: 'Appointments',
    forOwners: true,
    params: calendarParams,
    query: agendaQuery,
    answers: { 200: agendaResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  listUndeliveredMessages: {
    address: at.listUndeliveredMessages,
    summary: 'How many messages were given up, and the appointments to come that they are about',
    tag: 'Appointments',
    forOwners: true,
    params: calendarParams,
    answers: { 200: undeliveredMessagesResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  listUpcomingAppointments: {
    address: at.listUpcomingAppointments,
    summary: 'The next appointments over all my calendars',
    tag: 'Appointments',
    forOwners: true,
    answers: { 200: upcomingAppointmentsResponse },
    problems: [],
  },
  getOwnerDay: {
    address: at.getOwnerDay,
    summary: 'Today and what comes next over all my calendars',
    tag: 'Appointments',
    forOwners: true,
    answers: { 200: ownerDayResponse },
    problems: [],
  },
  tellDelay: {
    address: at.tellDelay,
    summary: 'Tell the customer that the appointment begins later; the appointment stays as it is',
    tag: 'Appointments',
    forOwners: true,
    params: ownAppointmentParams,
    body: tellDelayBody,
    answers: { 200: tellDelayResponse },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'appointment.not_found',
      'delay.not_now',
      'delay.no_email',
      'delay.told_often',
      'message.changed_meanwhile',
    ],
  },
  actOnAppointment: {
    address: at.actOnAppointment,
    summary: 'Change the status of an appointment or of its payment; customer and owner are told',
    tag: 'Appointments',
    forOwners: true,
    params: ownAppointmentParams,
    body: appointmentActionBody,
    answers: { 200: appointmentActionResponse },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'appointment.restore_conflict',
      'appointment.action_not_offered',
      'appointment.changed_meanwhile',
      'appointment.refund_failed',
      'appointment.not_found',
      'payment.under_way',
    ],
  },
})
