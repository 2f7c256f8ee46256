/** API errors about an appointment's messages. */
export const MESSAGE_PROBLEMS = {
  'message.not_found': { status: 404, title: 'This message does not exist any more.' },
  'message.not_true': {
    status: 409,
    title: 'This message does not fit the appointment any more, so it was not sent again.',
  },
  'message.changed_meanwhile': {
    status: 409,
    title: 'This message has changed meanwhile. Please look at what it says now.',
  },
  'message.sent_often': {
    status: 429,
    title: 'You have had this message sent again several times today. Please wait until tomorrow, or call.',
  },
  'email_link.invalid': {
    status: 400,
    title: 'This link is not complete. Please open it again from the email.',
  },
} as const satisfies Record<string, { status: number; title: string }>
