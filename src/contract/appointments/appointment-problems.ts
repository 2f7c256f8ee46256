/** API errors of an owner's actions on appointments (rule A15). */
export const APPOINTMENT_PROBLEMS = {
  'appointment.is_offer': {
    status: 409,
    title: 'This time is offered to somebody on the waiting list. Withdraw that offer first.',
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
  'appointment.move_not_allowed': {
    status: 409,
    title: 'This appointment cannot be moved here. Please contact the practice.',
  },
  'appointment.move_too_late': {
    status: 409,
    title: 'It is too late to move this appointment here. Please contact the practice.',
  },
  'appointment.move_too_often': {
    status: 409,
    title: 'This appointment cannot be moved again. Please contact the practice.',
  },
  'appointment.move_absent': {
    status: 409,
    title: 'This appointment cannot take place on these days. Please choose a time on another day.',
  },
  'appointment.move_many': {
    status: 429,
    title: 'This appointment was moved many times. Please try again later.',
  },
  'appointment.refund_failed': {
    status: 502,
    title: 'The payment provider did not make the refund, so nothing was changed. Please try again.',
  },
  'appointment.refund_too_small': {
    status: 409,
    title: 'The policy of this booking promises the customer more. Please give back at least that.',
  },
  'appointment.refund_too_large': {
    status: 409,
    title: 'No more can go back than was paid. Please choose a smaller amount.',
  },
  'appointment.nothing_owed': {
    status: 409,
    title: 'There is nothing left to return. Please look at the appointment again.',
  },
  'appointment.no_show_not_now': {
    status: 409,
    title: 'Only a confirmed appointment that has begun can be marked as a no-show.',
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
