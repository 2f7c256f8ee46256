/** API errors of a message to the operator. */
export const CONTACT_PROBLEMS = {
  'contact.name_required': { status: 400, title: 'Please tell us your name.' },
  'contact.email_required': { status: 400, title: 'Please tell us the address we may answer to.' },
  'contact.message_required': { status: 400, title: 'Please write a message.' },
  'contact.no_operator': {
    status: 404,
    title: 'Messages cannot be sent from here: the operator has not given an email address.',
  },
  'contact.too_many': {
    status: 429,
    title: 'You have sent several messages already. Please wait an hour before you send another.',
  },
  'contact.too_many_today': {
    status: 429,
    title: 'Many messages came in today, and no more are taken from here. Please write again tomorrow.',
  },
} as const satisfies Record<string, { status: number; title: string }>
