import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { ownerMoveSlotsQuery, slotsResponse } from '#contract/slots/slots.ts'
import { ownerAppointmentParams } from './appointments.ts'
import { moveAppointmentBody, moveOwnAppointmentResponse } from './moves.ts'
import { appointmentTimeCheckResponse, moveTimeCheckQuery } from './owner-booking.ts'
import { OVERRIDABLE_PROBLEMS } from './owner-booking-problems.ts'

/** Operations for an owner to move an appointment. */
export const moveOperations = defineOperations({
  moveAppointment: {
    address: at.moveAppointment,
    summary: 'Move an appointment to another time, and notify the customer',
    tag: 'Appointments',
    forOwners: true,
    params: ownerAppointmentParams,
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
      'appointment.session_unconfirmed',
      'booking.session_full',
      ...OVERRIDABLE_PROBLEMS,
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
    params: ownerAppointmentParams,
    query: moveTimeCheckQuery,
    answers: { 200: appointmentTimeCheckResponse },
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
    params: ownerAppointmentParams,
    query: ownerMoveSlotsQuery,
    answers: { 200: slotsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'appointment.not_found'],
  },
})
