import { z } from 'zod'
import { ownAppointmentParams } from '#contract/appointments/appointments.ts'
import { appointmentTimeResponse, moveTimeQuery } from '#contract/appointments/owner-booking.ts'
import { OVERRIDE_QUESTIONS } from '#contract/appointments/owner-booking-problems.ts'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { ownMoveSlotsQuery, slotsResponse } from '#contract/slots/slots.ts'
import {
  appointmentHistoryResponse,
  calendarFeedResponse,
  decideChangesBody,
  decideChangesResponse,
  externalChangesResponse,
  feedParams,
  moveAppointmentBody,
  moveOwnAppointmentResponse,
} from './external-calendars.ts'

/** Moving appointments, what became of them, changes in external calendars that wait for a decision, and the feed. */
export const externalChangeOperations = defineOperations({
  moveAppointment: {
    address: at.moveAppointment,
    summary: 'Move an appointment to another time, and notify the customer',
    tag: 'Appointments',
    forOwners: true,
    params: ownAppointmentParams,
    body: moveAppointmentBody,
    answers: { 200: moveOwnAppointmentResponse },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'appointment.not_found',
      'appointment.move_state',
      'appointment.move_conflict',
      'appointment.move_location_taken',
      'appointment.move_too_long',
      'appointment.changed_meanwhile',
      ...Object.values(OVERRIDE_QUESTIONS),
      'booking.time_required',
      'booking.too_long_ago',
      'booking.too_far_ahead',
    ],
  },
  judgeMove: {
    address: at.judgeMove,
    summary: 'Whether the owner can move an appointment to a time',
    tag: 'Appointments',
    forOwners: true,
    params: ownAppointmentParams,
    query: moveTimeQuery,
    answers: { 200: appointmentTimeResponse },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'appointment.not_found',
      'booking.time_required',
      'booking.too_long_ago',
      'booking.too_far_ahead',
    ],
  },
  listOwnMoveSlots: {
    address: at.listOwnMoveSlots,
    summary: 'The times of one day to which an appointment can be moved',
    tag: 'Appointments',
    forOwners: true,
    params: ownAppointmentParams,
    query: ownMoveSlotsQuery,
    answers: { 200: slotsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'appointment.not_found'],
  },
  getAppointmentHistory: {
    address: at.getAppointmentHistory,
    summary: 'The history of an appointment, newest first',
    tag: 'Appointments',
    forOwners: true,
    params: ownAppointmentParams,
    answers: { 200: appointmentHistoryResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'appointment.not_found'],
  },
  listExternalChanges: {
    address: at.listExternalChanges,
    summary: 'Changes in external calendars that wait for my decision',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: externalChangesResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  decideExternalChanges: {
    address: at.decideExternalChanges,
    summary: 'Apply changes in external calendars to the appointments, or reject them',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    body: decideChangesBody,
    answers: { 200: decideChangesResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'external_change.not_found'],
  },
  getCalendarFeed: {
    address: at.getCalendarFeed,
    summary: 'The secret URL of the iCalendar feed of a calendar',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarFeedResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  createCalendarFeed: {
    address: at.createCalendarFeed,
    summary: 'Create a secret feed URL; an earlier one stops working',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarFeedResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  revokeCalendarFeed: {
    address: at.revokeCalendarFeed,
    summary: 'Revoke the secret feed URL',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarFeedResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  readCalendarFeed: {
    address: at.readCalendarFeed,
    summary: 'The iCalendar feed of a calendar, for anyone with its secret URL',
    tag: 'External calendars',
    params: feedParams,
    answers: {
      200: {
        description: 'RFC 5545',
        content: { 'text/calendar': { schema: z.string() } },
      },
      304: z.undefined(),
    },
    problems: ['feed.not_found'],
  },
})
