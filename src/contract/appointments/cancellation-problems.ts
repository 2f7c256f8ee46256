/** API errors when an appointment is cancelled by customers. A separate file, so that the booking page does not download them. */
export const CANCELLATION_PROBLEMS = {
  'appointment.not_found': { status: 404, title: 'Appointment Not Found' },
  'appointment.cancellation_pending': {
    status: 409,
    title: 'You’ve already asked to cancel this appointment.',
  },
  'appointment.already_cancelled': { status: 409, title: 'This appointment has already been cancelled.' },
  'appointment.past': {
    status: 409,
    title: 'This appointment has already started and can no longer be cancelled.',
  },
  'appointment.not_confirmed': {
    status: 409,
    title: 'This appointment hasn’t been paid for yet, so there is nothing to cancel.',
  },
  'appointment.not_pending_payment': {
    status: 409,
    title: 'This appointment isn’t awaiting payment, so it can’t be removed.',
  },
} as const satisfies Record<string, { status: number; title: string }>
