/** API errors about the code that confirms a customer's email address. */
export const EMAIL_CONFIRMATION_PROBLEMS = {
  'confirmation.wrong_code': {
    status: 400,
    title: 'This code is not right. Please check the email and try again.',
  },
  'confirmation.too_many_codes': {
    status: 429,
    title: 'That was the last try. Please book the time again in a few minutes to get a new code.',
  },
  'confirmation.sent_often': {
    status: 429,
    title:
      'The code was sent as often as possible. Please check your spam folder, or book again with another address.',
  },
  'confirmation.no_email': {
    status: 409,
    title:
      'No code can be sent to this email address at the moment. Please open the link in an earlier email about an appointment, or use another address.',
  },
  'confirmation.too_late': {
    status: 409,
    title: 'The code came too late, so the time was given back. Please choose a time again.',
  },
} as const satisfies Record<string, { status: number; title: string }>
