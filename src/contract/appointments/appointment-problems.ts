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
    title: 'The appointment has changed. Reload it and try again.',
  },
  'appointment.session_unconfirmed': {
    status: 409,
    title: 'Somebody in this session hasn’t confirmed their seat yet. Please try again in a few minutes.',
  },
  'appointment.changed_meanwhile': {
    status: 409,
    title: 'This appointment has changed. Please check it and try again.',
  },
  'appointment.move_not_allowed': {
    status: 409,
    title: 'This appointment can’t be moved online. Please contact the practice.',
  },
  'appointment.move_too_late': {
    status: 409,
    title: 'It’s too late to move this appointment online. Please contact the practice.',
  },
  'appointment.move_too_often': {
    status: 409,
    title: 'This appointment can’t be moved again. Please contact the practice.',
  },
  'appointment.move_absent': {
    status: 409,
    title: 'This appointment can’t take place on these days. Please choose another day.',
  },
  'appointment.move_many': {
    status: 429,
    title: 'This appointment has been moved too often. Please try again later.',
  },
  'appointment.refund_failed': {
    status: 502,
    title: 'The payment provider didn’t make the refund, so nothing has changed. Please try again.',
  },
  'appointment.refund_too_small': {
    status: 409,
    title: 'This booking’s policy promises a larger refund. Please refund at least that amount.',
  },
  'appointment.refund_too_large': {
    status: 409,
    title: 'The refund can’t exceed the amount paid. Please choose a smaller amount.',
  },
  'appointment.nothing_owed': {
    status: 409,
    title: 'There is nothing left to refund. Please reload the appointment.',
  },
  'appointment.no_show_not_now': {
    status: 409,
    title: 'Only a confirmed appointment that has started can be marked as a no-show.',
  },
  'delay.not_now': {
    status: 409,
    title: 'You can only report a delay for a confirmed appointment that starts soon.',
  },
  'delay.no_email': {
    status: 409,
    title: 'This customer has no email address. Please call.',
  },
  'delay.told_often': {
    status: 409,
    title: 'We’ve already told this customer about a delay three times. Please call.',
  },
} as const satisfies Record<string, { status: number; title: string }>
