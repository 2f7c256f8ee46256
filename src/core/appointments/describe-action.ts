import type {
  AppointmentAction,
  PaymentAction,
  StatusAction,
  StatusAnnouncement,
} from './appointment-actions.ts'

/** What happened to the customer's email. `none`: no address, nothing to say, or the appointment is over. */
export type EmailOutcome = 'queued' | 'failed' | 'none'

/** Sentences fixed by the specification; tests compare them. Source: rule A15. */
const STATUS_SENTENCES: Record<StatusAnnouncement, Record<EmailOutcome, string>> = {
  cancelled: {
    queued: 'Appointment cancelled and cancellation email sent',
    failed: 'Appointment cancelled but failed to send email notification',
    none: 'Appointment cancelled',
  },
  restored: {
    queued: 'Appointment restored and confirmation email sent',
    failed: 'Appointment restored but failed to send confirmation email',
    none: 'Appointment restored',
  },
  confirmed: {
    queued: 'Appointment confirmed and confirmation email sent',
    failed: 'Appointment confirmed but failed to send confirmation email',
    none: 'Appointment confirmed',
  },
  cancellation_denied: {
    queued: 'Cancellation request denied and customer emailed',
    failed: 'Cancellation request denied but failed to send email notification',
    none: 'Cancellation request denied',
  },
}

const CHANGED_BY: Record<StatusAction, StatusAnnouncement> = {
  confirm: 'confirmed',
  restore: 'restored',
  approve_cancellation: 'cancelled',
  deny_cancellation: 'cancellation_denied',
  cancel: 'cancelled',
}

const PAYMENT_SENTENCES: Record<PaymentAction, string> = {
  mark_paid: 'Payment marked as paid successfully',
  refund: 'Payment marked as refunded successfully',
  mark_failed: 'Payment marked as failed successfully',
  mark_pending: 'Payment marked as pending successfully',
  mark_not_required: 'Payment marked as not required',
}

export type ActionMessages = {
  readonly text: string
  /** Side effect of the payment change, if any. */
  readonly detail: string | null
}

/** Builds the success message that the owner sees after an action. Source: rule A15. */
export function describeAction(
  action: AppointmentAction,
  announces: StatusAnnouncement | null,
  email: EmailOutcome,
): ActionMessages {
  if (!isPaymentAction(action)) return { text: STATUS_SENTENCES[CHANGED_BY[action]][email], detail: null }
  return {
    text: PAYMENT_SENTENCES[action],
    detail: announces === null ? null : STATUS_SENTENCES[announces][email],
  }
}

/** True for payment actions, whose failures are reported as payment failures. Source: rule A15. */
export function isPaymentAction(action: AppointmentAction): action is PaymentAction {
  return action in PAYMENT_SENTENCES
}

/** Warning shown when an owner booked a time while an external calendar could not be checked. Source: rule G28. */
export const UNCHECKED_CALENDARS_WARNING =
  'Could not verify Google Calendar conflicts. Please check manually.'
