/** API errors about an appointment's messages. */
export const MESSAGE_PROBLEMS = {
  'message.not_found': { status: 404, title: 'This message no longer exists.' },
  'message.not_true': {
    status: 409,
    title: 'This message no longer matches the appointment, so it wasn’t sent again.',
  },
  'message.changed_meanwhile': {
    status: 409,
    title: 'This message has changed. Please reload it.',
  },
  'message.sent_often': {
    status: 429,
    title: 'You’ve resent this message several times today. Please wait until tomorrow, or call.',
  },
  'email_link.invalid': {
    status: 400,
    title: 'This link is incomplete. Please open it again from the email.',
  },
} as const satisfies Record<string, { status: number; title: string }>
