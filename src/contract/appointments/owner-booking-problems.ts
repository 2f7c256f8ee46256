import type { StartReason, StartWarning } from '#core/slots/explain-start.ts'

/**
 * Refusals when an owner books an appointment for a customer. Those in `OVERRIDABLE_WARNING_PROBLEMS` are questions: the owner can override
 * them by sending the request again with `outside_hours: true`. Source: rule O2.
 */
export const OWNER_BOOKING_PROBLEMS = {
  'booking.outside_hours': {
    status: 409,
    title: 'This time is outside your opening hours. Book it anyway?',
  },
  'booking.outside_type_hours': {
    status: 409,
    title: 'This time is outside the hours of this appointment type. Book it anyway?',
  },
  'booking.off_grid': {
    status: 409,
    title: 'Customers aren’t offered this start time. Book it anyway?',
  },
  'booking.too_long': {
    status: 409,
    title: 'This is longer than the longest appointment you offer. Book it anyway?',
  },
  'booking.already_begun': { status: 409, title: 'This time has already started. Book it anyway?' },
  'booking.short_notice': {
    status: 409,
    title: 'This is less notice than customers have to give. Book it anyway?',
  },
  'booking.outside_window': {
    status: 409,
    title: 'Customers can’t book this day, because of your booking window. Book it anyway?',
  },
  'booking.limit_reached': {
    status: 409,
    title: 'This is more than your limit allows. Book it anyway?',
  },
  'booking.unchecked': {
    status: 409,
    title: 'We can’t check your external calendar right now. Book it anyway?',
  },
  'booking.too_long_ago': {
    status: 400,
    title: 'You can add an appointment up to 24 hours after its start.',
  },
  'booking.too_far_ahead': { status: 400, title: 'Appointments can be at most 730 days ahead.' },
  'booking.customer_name_required': { status: 400, title: 'Please enter the customer’s name.' },
  'booking.service_required': { status: 400, title: 'Please choose an appointment type.' },
  'booking.time_required': { status: 400, title: 'Please choose a date and a time.' },
  'booking.duration_invalid': {
    status: 400,
    title: 'Without an appointment type, an appointment takes 5 to 480 minutes.',
  },
  'past_time.future': { status: 400, title: 'Please choose a moment that has passed.' },
  'past_time.unknown': {
    status: 400,
    title: 'We don’t know your settings of that moment. Please choose a later one.',
  },
  'past_time.type_unknown': { status: 400, title: 'This appointment type didn’t exist at that moment.' },
  'test_appointment.no_free_time': {
    status: 409,
    title: 'There is no free time for a test appointment. Please check your hours first.',
  },
} as const satisfies Record<string, { status: number; title: string }>

/** The refusal that asks about each warning that the owner can override. Source: rule O2. */
export const OVERRIDABLE_WARNING_PROBLEMS = {
  begun: 'booking.already_begun',
  short_notice: 'booking.short_notice',
  window: 'booking.outside_window',
  limit: 'booking.limit_reached',
  unchecked: 'booking.unchecked',
  special_day: 'booking.outside_hours',
  outside_hours: 'booking.outside_hours',
  outside_type_hours: 'booking.outside_type_hours',
  too_long: 'booking.too_long',
  off_grid: 'booking.off_grid',
} as const satisfies Record<StartWarning, keyof typeof OWNER_BOOKING_PROBLEMS>

/** The questions, each once. */
export const OVERRIDABLE_PROBLEMS = [...new Set(Object.values(OVERRIDABLE_WARNING_PROBLEMS))]

/** Tells the owner why customers are not offered a time. Source: rule O2. */
export const START_REASON_SENTENCES = {
  too_long_ago: 'This was more than 24 hours ago.',
  too_far_ahead: OWNER_BOOKING_PROBLEMS['booking.too_far_ahead'].title,
  busy: 'This time is taken.',
  preparation: 'This leaves no time for preparation and wrap-up.',
  buffer: 'This is within your buffer around another event.',
  location_taken: 'The location is taken at this time.',
  full: 'All seats of this session are taken.',
  begun: 'This time has already started.',
  short_notice: 'This is less notice than customers have to give.',
  window: 'This day is outside the booking window.',
  limit: 'Your limit is reached.',
  paused: 'This calendar isn’t taking bookings.',
  unchecked: 'We can’t check your external calendar right now.',
  special_day: 'This day has its own opening hours, and this time is outside them.',
  outside_hours: 'This is outside your opening hours.',
  outside_type_hours: 'This is outside the hours of this appointment type.',
  too_long: 'This is longer than the longest appointment you offer.',
  off_grid: 'This isn’t one of your start times.',
} as const satisfies Record<StartReason, string>
