/** API errors about the code that confirms a customer's email address. */
export const EMAIL_CONFIRMATION_PROBLEMS = {
  'confirmation.wrong_code': {
    status: 400,
    title: 'This code is incorrect. Please check the email and try again.',
  },
  'confirmation.too_many_codes': {
    status: 429,
    title: 'That was your last try. Please book again in a few minutes to get a new code.',
  },
  'confirmation.sent_often': {
    status: 429,
    title:
      'We’ve sent the code as often as we can. Please check your spam folder, or book again with another address.',
  },
  'confirmation.no_email': {
    status: 409,
    title:
      'We can’t send a code to this address right now. Please open the link in an earlier email about an appointment, or use another address.',
  },
  'confirmation.too_late': {
    status: 409,
    title: 'The code came too late, so the time is no longer held for you. Please choose a time again.',
  },
} as const satisfies Record<string, { status: number; title: string }>
