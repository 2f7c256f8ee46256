/**
 * Refusals of a hold or a booking because the customer has too many. The booking page shows the text from the response, so it
 * does not download this file, unlike `booking-problems.ts`. Source: rule H14.
 */
export const HOLD_PROBLEMS = {
  'hold.earlier_under_way': {
    status: 409,
    title:
      'Your payment for another time on this calendar is in progress. Please wait a few minutes and try again.',
  },
  'hold.too_many_open': {
    status: 429,
    title:
      'Several bookings from your internet connection are still open. Please finish or cancel one, or try again in five minutes.',
  },
  'hold.too_many_open_for_email': {
    status: 429,
    title:
      'Several bookings with this email address are still open. Please finish or cancel one, or try again in five minutes.',
  },
  'hold.too_many_made': {
    status: 429,
    title:
      'Too many bookings from your internet connection were started but not finished. Please try again in an hour.',
  },
  'hold.time_held_too_long': {
    status: 429,
    title:
      'We held this time for you several times, but it wasn’t booked. Please choose another time, or try again in an hour.',
  },
  'hold.expired_too_often': {
    status: 429,
    title:
      'Several bookings from your internet connection weren’t finished in time. Please try again in an hour.',
  },
  'hold.expired_too_often_for_email': {
    status: 429,
    title:
      'Several bookings with this email address weren’t finished in time. Please try again in an hour, or use another email address.',
  },
  'hold.day_held': {
    status: 429,
    title:
      'Other people are booking several times on this day. Please choose another day, or try again in five minutes.',
  },
  'booking.too_many': {
    status: 429,
    title: 'Too many appointments were booked from your internet connection. Please try again in an hour.',
  },
  'booking.too_many_for_email': {
    status: 429,
    title:
      'Too many appointments were booked with this email address. Please try again tomorrow, or use another email address.',
  },
} as const satisfies Record<string, { status: number; title: string }>
