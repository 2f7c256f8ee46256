/** API errors on the customer's page for an appointment. A separate file, so that the booking page does not download them. */
export const CUSTOMER_PAGE_PROBLEMS = {
  'manage.not_found': {
    status: 404,
    title: 'This link is no longer valid. Please use the link in your newest email.',
  },
  'manage.too_many': {
    status: 429,
    title: 'Too many invalid links were opened from your connection. Please try again later.',
  },
  'manage.replaced': {
    status: 410,
    title:
      'This link was replaced when the booking’s email address changed. Please use the link in the newest email.',
  },
  'manage.ended': {
    status: 410,
    title: 'This link has expired. It was valid until 90 days after the appointment.',
  },
  'manage.erased': {
    status: 410,
    title: 'The personal details of this appointment were erased, so this link no longer works.',
  },
  'manage.given_back': {
    status: 410,
    title: 'This booking wasn’t completed in time, so the time is no longer held.',
  },
  'cancellation.not_possible': {
    status: 409,
    title: 'This appointment can no longer be cancelled online. Please contact the practice.',
  },
  'cancellation.terms_changed': {
    status: 409,
    title:
      'The cost of cancelling has changed since you opened this page. Please check it before you cancel.',
  },
  'manage.not_changeable': {
    status: 409,
    title: 'This appointment has started, ended or been cancelled, so its details can’t be changed.',
  },
  'manage.not_booked': {
    status: 409,
    title: 'This appointment isn’t booked, so there is nothing to add to a calendar.',
  },
  'manage.changed_often': {
    status: 429,
    title: 'You’ve changed these details too often. Please try again later.',
  },
  'manage.no_email': {
    status: 409,
    title: 'This appointment has no email address, so we can’t send a code. Please ask the practice.',
  },
  'manage.no_code': {
    status: 409,
    title:
      'We can’t send a code to this address right now. Please open this page from the link in an email about the appointment, and try again.',
  },
  'manage.codes_sent_often': {
    status: 429,
    title: 'We’ve sent as many codes as we can for now. Please check your spam folder, or try again later.',
  },
  'manage.too_many_codes': {
    status: 429,
    title: 'That was your last try for now. Please ask for a new code later.',
  },
  'manage.session_needed': {
    status: 401,
    title: 'Please confirm your email address again with a new code.',
  },
} as const satisfies Record<string, { status: number; title: string }>
