/** API errors of a message to the operator. */
export const CONTACT_PROBLEMS = {
  'contact.name_required': { status: 400, title: 'Please enter your name.' },
  'contact.email_required': { status: 400, title: 'Please enter your email address.' },
  'contact.message_required': { status: 400, title: 'Please write a message.' },
  'contact.no_operator': {
    status: 404,
    title: 'You can’t send messages from here, because the site operator hasn’t given an email address.',
  },
  'contact.too_many': {
    status: 429,
    title: 'You’ve sent several messages. Please wait an hour before you send another.',
  },
  'contact.too_many_today': {
    status: 429,
    title: 'We’ve received too many messages today. Please write again tomorrow.',
  },
} as const satisfies Record<string, { status: number; title: string }>
