import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { slotCountsPerDayResponse, slotsResponse } from '#contract/slots/slots.ts'
import { moveByCustomerBody, moveDaysQuery, moveSlotsQuery, moveTermsResponse } from './customer-moves.ts'
import { manageLinkParams } from './customer-page.ts'
import { MANAGE_LINK_PROBLEMS } from './customer-page-operations.ts'
import { moveAppointmentResponse } from './moves.ts'

/** Operations for a customer to move an appointment through its signed link. */
export const customerMoveOperations = defineOperations({
  getMoveTerms: {
    address: at.getMoveTerms,
    summary: 'Whether, until when and how often the customer can move an appointment',
    tag: 'Public booking',
    params: manageLinkParams,
    answers: { 200: moveTermsResponse },
    problems: [...MANAGE_LINK_PROBLEMS],
  },
  listMoveSlots: {
    address: at.listMoveSlots,
    summary: 'Times of one day to which an appointment can be moved',
    tag: 'Public booking',
    params: manageLinkParams,
    query: moveSlotsQuery,
    answers: { 200: slotsResponse },
    problems: [...MANAGE_LINK_PROBLEMS, 'calendar.time_zone_unknown'],
  },
  listMoveDays: {
    address: at.listMoveDays,
    summary: 'The number of such times on each day of a range',
    tag: 'Public booking',
    params: manageLinkParams,
    query: moveDaysQuery,
    answers: { 200: slotCountsPerDayResponse },
    problems: [...MANAGE_LINK_PROBLEMS, 'calendar.time_zone_unknown'],
  },
  moveManagedAppointment: {
    address: at.moveManagedAppointment,
    summary: 'Move an appointment as its customer, and notify the owner',
    tag: 'Public booking',
    params: manageLinkParams,
    body: moveByCustomerBody,
    answers: { 200: moveAppointmentResponse },
    problems: [
      ...MANAGE_LINK_PROBLEMS,
      'appointment.move_state',
      'appointment.move_not_allowed',
      'appointment.move_too_late',
      'appointment.move_too_often',
      'appointment.move_absent',
      'appointment.move_many',
      'appointment.changed_meanwhile',
      'booking.time_required',
      'booking.slot_unavailable',
      'booking.fully_booked',
      'booking.session_full',
      'booking.location_conflict',
    ],
  },
})
