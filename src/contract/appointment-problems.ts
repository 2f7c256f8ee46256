/** Refusals of what an owner does with appointments (rule A15). */
export const APPOINTMENT_PROBLEMS = {
  'appointment.is_offer': {
    status: 409,
    title: 'This time is offered to somebody on the waiting list. Take the offer back there first.',
  },
  'appointment.restore_conflict': {
    status: 409,
    title:
      'Cannot restore appointment: Time slot conflicts with existing appointments or Google Calendar events',
  },
  'appointment.action_not_offered': {
    status: 409,
    title: 'This cannot be done with the appointment as it is now. Please look at it again.',
  },
  'appointment.changed_meanwhile': {
    status: 409,
    title: 'This appointment was changed meanwhile. Please look at what it says now and decide again.',
  },
  'appointment.refund_failed': {
    status: 502,
    title: 'The payment provider did not make the refund, so nothing was changed. Please try again.',
  },
  'delay.not_now': {
    status: 409,
    title: 'A customer can be told of a delay only while the appointment stands and begins soon.',
  },
  'delay.no_email': {
    status: 409,
    title: 'This customer gave no email address. Please call.',
  },
  'delay.told_often': {
    status: 409,
    title: 'This customer was told of a delay three times already. Please call.',
  },
} as const satisfies Record<string, { status: number; title: string }>
