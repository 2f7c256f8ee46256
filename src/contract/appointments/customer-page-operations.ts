import { z } from 'zod'
import { customerExportSchema } from '#contract/customers/customer-records.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import {
  calendarFileQuery,
  cancelByCustomerBody,
  cancelDatesBody,
  customerAppointmentSchema,
  customerAppointmentsResponse,
  customerDetailsChanges,
  customerSessionBody,
  manageLinkParams,
} from './customer-page.ts'

/** The refusals that every operation through an appointment's signed link can give. */
export const MANAGE_LINK_PROBLEMS = [
  'manage.not_found',
  'manage.too_many',
  'manage.replaced',
  'manage.ended',
  'manage.erased',
  'manage.given_back',
] as const satisfies readonly ProblemCode[]

/** Why a customer cannot cancel. */
const CANCELLATION_PROBLEMS = [
  ...MANAGE_LINK_PROBLEMS,
  'booking.time_required',
  'cancellation.not_possible',
  'cancellation.terms_changed',
  'appointment.changed_meanwhile',
  'appointment.cancellation_pending',
  'appointment.already_cancelled',
  'appointment.not_confirmed',
  'appointment.past',
  'appointment.action_not_offered',
] as const satisfies readonly ProblemCode[]

/** Operations of the customer's page for an appointment. */
export const customerPageOperations = defineOperations({
  getManagedAppointment: {
    address: at.getManagedAppointment,
    summary: 'An appointment, for anyone with its signed link',
    tag: 'Public booking',
    params: manageLinkParams,
    answers: { 200: customerAppointmentSchema },
    problems: [...MANAGE_LINK_PROBLEMS],
  },
  cancelManagedAppointment: {
    address: at.cancelManagedAppointment,
    summary: 'Cancel an appointment or request its cancellation, as its policy allows',
    tag: 'Public booking',
    params: manageLinkParams,
    body: cancelByCustomerBody,
    answers: { 200: customerAppointmentSchema },
    problems: [...CANCELLATION_PROBLEMS, 'appointment.not_found'],
  },
  cancelManagedDates: {
    address: at.cancelManagedDates,
    summary: 'Cancel an appointment and later dates of its series together, each as its policy allows',
    tag: 'Public booking',
    params: manageLinkParams,
    body: cancelDatesBody,
    answers: { 200: customerAppointmentSchema },
    problems: [...CANCELLATION_PROBLEMS],
  },
  changeManagedDetails: {
    address: at.changeManagedDetails,
    summary: 'Change the phone number, the time zone, the title or the notes of an appointment',
    tag: 'Public booking',
    params: manageLinkParams,
    body: customerDetailsChanges,
    answers: { 200: customerAppointmentSchema },
    problems: [
      ...MANAGE_LINK_PROBLEMS,
      'manage.not_changeable',
      'manage.changed_often',
      'request.changed_meanwhile',
      'calendar.time_zone_unknown',
    ],
  },
  getManagedCalendarFile: {
    address: at.getManagedCalendarFile,
    summary: 'The calendar file of an appointment, or of its series',
    tag: 'Public booking',
    params: manageLinkParams,
    query: calendarFileQuery,
    answers: { 200: { description: 'RFC 5545', content: { 'text/calendar': { schema: z.string() } } } },
    problems: [...MANAGE_LINK_PROBLEMS, 'manage.not_booked'],
  },
  sendCustomerCode: {
    address: at.sendCustomerCode,
    summary: 'Send a code to the email address of the appointment',
    tag: 'Public booking',
    params: manageLinkParams,
    answers: { 204: z.undefined() },
    problems: [...MANAGE_LINK_PROBLEMS, 'manage.no_email', 'manage.no_code', 'manage.codes_sent_often'],
  },
  beginCustomerSession: {
    address: at.beginCustomerSession,
    summary: 'Start a customer session with the emailed code',
    tag: 'Public booking',
    params: manageLinkParams,
    body: customerSessionBody,
    answers: { 204: z.undefined() },
    problems: [
      ...MANAGE_LINK_PROBLEMS,
      'manage.no_email',
      'manage.too_many_codes',
      'confirmation.wrong_code',
    ],
  },
  endCustomerSession: {
    address: at.endCustomerSession,
    summary: 'End the customer session',
    tag: 'Public booking',
    params: manageLinkParams,
    answers: { 204: z.undefined() },
    problems: [],
  },
  listManagedAppointments: {
    address: at.listManagedAppointments,
    summary: 'All appointments of the customer with this practice; requires a customer session',
    tag: 'Public booking',
    params: manageLinkParams,
    answers: { 200: customerAppointmentsResponse },
    problems: [...MANAGE_LINK_PROBLEMS, 'manage.session_needed'],
  },
  exportOwnRecord: {
    address: at.exportOwnRecord,
    summary: 'Export everything that the calendar stores about the customer; requires a customer session',
    tag: 'Public booking',
    params: manageLinkParams,
    answers: { 200: customerExportSchema },
    problems: [...MANAGE_LINK_PROBLEMS, 'manage.session_needed', 'customer.not_found'],
  },
  eraseOwnRecord: {
    address: at.eraseOwnRecord,
    summary: 'Erase the personal data of the customer; requires a customer session',
    tag: 'Public booking',
    params: manageLinkParams,
    answers: { 204: z.undefined() },
    problems: [
      ...MANAGE_LINK_PROBLEMS,
      'manage.session_needed',
      'customer.not_found',
      'customer.appointments_ahead',
    ],
  },
})
