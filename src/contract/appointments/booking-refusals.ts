/**
 * Refusals of a booking that only the server uses. The booking page shows the text from the response, so it does not download
 * this file, unlike `booking-problems.ts`. Source: rule X1.
 */
export const SERVER_ONLY_BOOKING_PROBLEMS = {
  'booking.type_unknown': {
    status: 400,
    title: 'This appointment type is no longer offered. Please choose another one.',
  },
  'booking.slot_unavailable': {
    status: 409,
    title: 'This time is no longer available. Please choose another time.',
  },
  'booking.fully_booked': {
    status: 409,
    title: 'This day is fully booked. Please choose another day.',
  },
  'booking.session_full': {
    status: 409,
    title: 'All seats of this session are taken. Please choose another time.',
  },
  'booking.too_many_seats': {
    status: 409,
    title: 'You can book at most 10 seats a day here. Please choose another day.',
  },
  'booking.location_conflict': {
    status: 409,
    title:
      'This time slot conflicts with another appointment at the same location. Please choose a different time.',
  },
  'booking.policy_changed': {
    status: 409,
    title:
      'The rules for moving and cancelling have changed. Please read them above the button, then press it again.',
  },
  'booking.payment_required': {
    status: 402,
    title: 'This appointment must be paid for at booking. Please choose a payment method.',
  },
  'booking.looks_automatic': {
    status: 400,
    title: 'This looked like an automated booking. Please check your details and press the button again.',
  },
} as const satisfies Record<string, { status: number; title: string }>
