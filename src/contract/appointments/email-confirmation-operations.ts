import { z } from 'zod'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { appointmentLinkParams, createBookingResponse } from './bookings.ts'
import { emailConfirmationBody } from './email-confirmations.ts'

/** The operation that confirms the email address of a booking. */
export const emailConfirmationOperations = defineOperations({
  confirmBookingEmail: {
    address: at.confirmBookingEmail,
    summary: 'Confirm the email address of a booking with the emailed code',
    tag: 'Public booking',
    params: appointmentLinkParams,
    body: emailConfirmationBody,
    answers: { 200: createBookingResponse },
    problems: [
      'appointment.not_found',
      'confirmation.wrong_code',
      'confirmation.too_many_codes',
      'confirmation.too_late',
    ],
  },
  sendBookingCodeAgain: {
    address: at.sendBookingCodeAgain,
    summary: 'Send the code again',
    tag: 'Public booking',
    params: appointmentLinkParams,
    answers: { 204: z.undefined() },
    problems: ['appointment.not_found', 'confirmation.sent_often', 'confirmation.too_late'],
  },
})
