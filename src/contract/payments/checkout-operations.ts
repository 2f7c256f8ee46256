import { z } from 'zod'
import { appointmentLinkParams, idempotencyHeaders } from '#contract/appointments/bookings.ts'
import { bookingLinkParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  cancelledPaymentQuery,
  createCheckoutBody,
  createCheckoutResponse,
  paymentStateResponse,
} from './checkouts.ts'

/** Operations for customers to pay. */
export const checkoutOperations = defineOperations({
  createCheckout: {
    address: at.createCheckout,
    summary: 'Hold a time, and start its payment at a provider',
    tag: 'Public booking',
    params: bookingLinkParams,
    headers: idempotencyHeaders,
    body: createCheckoutBody,
    answers: { 201: createCheckoutResponse },
    problems: [
      'request.key_reused',
      'calendar.not_found',
      'calendar.paused',
      'booking.incomplete',
      'booking.slot_unavailable',
      'booking.fully_booked',
      'booking.session_full',
      'booking.too_many_seats',
      'answer.refused',
      'booking.looks_automatic',
      'hold.earlier_under_way',
      'hold.too_many_open',
      'hold.too_many_open_for_email',
      'hold.too_many_made',
      'hold.time_held_too_long',
      'hold.expired_too_often',
      'hold.expired_too_often_for_email',
      'hold.day_held',
      'payment.initiation_failed',
      'payment.provider_not_connected',
      'payment.nothing_to_pay',
      'auth.invalid_email',
      'booking.type_unknown',
      'booking.policy_changed',
      'booking.location_conflict',
      'payment.not_found',
    ],
  },
  settlePayment: {
    address: at.settlePayment,
    summary: 'Update the payment of an appointment from its provider',
    tag: 'Public booking',
    params: appointmentLinkParams,
    answers: { 200: paymentStateResponse },
    problems: ['appointment.not_found', 'payment.not_found'],
  },
  deletePendingAppointment: {
    address: at.deletePendingAppointment,
    summary: 'Release an unpaid hold, and remove its payment',
    tag: 'Public booking',
    params: appointmentLinkParams,
    query: cancelledPaymentQuery,
    answers: { 204: z.undefined() },
    problems: [
      'appointment.not_found',
      'appointment.not_pending_payment',
      'payment.under_way',
      'payment.not_found',
    ],
  },
})
