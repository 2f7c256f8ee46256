/** API errors on the customer's page for an appointment. A separate file, so that the booking page does not download them. */
export const CUSTOMER_PAGE_PROBLEMS = {
  'manage.not_found': {
    status: 404,
    title: 'This link leads to no appointment. Please open it again from your newest email.',
  },
  'manage.too_many': {
    status: 429,
    title: 'Too many links that lead nowhere were opened from here. Please try again later.',
  },
  'manage.replaced': {
    status: 410,
    title:
      'This link was replaced, because the email address of the booking changed. Please open the newest email about it.',
  },
  'manage.ended': {
    status: 410,
    title: 'This link has ended. It worked until 90 days after the appointment.',
  },
  'manage.erased': {
    status: 410,
    title: 'The personal details of this appointment were erased, so this link opens nothing any more.',
  },
  'manage.given_back': {
    status: 410,
    title: 'This booking was not completed in time, so its time was given back.',
  },
  'cancellation.not_possible': {
    status: 409,
    title: 'This appointment can no longer be cancelled here. Please contact the practice.',
  },
  'cancellation.terms_changed': {
    status: 409,
    title:
      'What a cancellation costs has changed since you opened this page. Please look again before you cancel.',
  },
  'manage.not_changeable': {
    status: 409,
    title: 'This appointment has begun, is over or was cancelled, so its details stay as they are.',
  },
  'manage.not_booked': {
    status: 409,
    title: 'This appointment is not booked at the moment, so there is nothing to put into a calendar.',
  },
  'manage.changed_often': {
    status: 429,
    title: 'These details were changed as often as possible for now. Please try again later.',
  },
  'manage.no_email': {
    status: 409,
    title: 'There is no email address for this appointment, so no code can be sent. Please ask the practice.',
  },
  'manage.no_code': {
    status: 409,
    title:
      'No code can be sent to this email address at the moment. Please open this page by the link in an email about the appointment, and try again.',
  },
  'manage.codes_sent_often': {
    status: 429,
    title:
      'Codes were sent as often as possible for now. Please look into your spam folder, or try again later.',
  },
  'manage.too_many_codes': {
    status: 429,
    title: 'That was the last try for now. Please ask for a new code later.',
  },
  'manage.session_needed': {
    status: 401,
    title: 'Please confirm your email address again with a new code.',
  },
} as const satisfies Record<string, { status: number; title: string }>
