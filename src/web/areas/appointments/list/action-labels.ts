import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import {
  type AppointmentAction,
  type AppointmentState,
  decideAction,
  returnsToAwaitingPayment,
} from '#core/appointments/appointment-actions.ts'

type Words = {
  /** The label of the action's button. Source: rule A2. */
  readonly label: string
  readonly pending: string
}

export const ACTION_LABELS: Record<AppointmentAction, Words> = {
  confirm: { label: 'Confirm', pending: 'Confirming...' },
  restore: { label: 'Restore', pending: 'Restoring...' },
  approve_cancellation: { label: 'Approve Cancellation', pending: 'Approving...' },
  deny_cancellation: { label: 'Deny', pending: 'Denying...' },
  cancel: { label: 'Cancel', pending: 'Cancelling...' },
  mark_paid: { label: 'Mark as Paid', pending: 'Updating...' },
  refund: { label: 'Refund', pending: 'Refunding...' },
  mark_pending: { label: 'Mark as Pending', pending: 'Updating...' },
  mark_failed: { label: 'Mark as Failed', pending: 'Updating...' },
  mark_not_required: { label: 'Mark as Not Required', pending: 'Updating...' },
}

/** The actions that need a confirmation, at least in some states of the appointment. */
type AskedAction =
  | 'cancel'
  | 'approve_cancellation'
  | 'restore'
  | 'refund'
  | 'mark_paid'
  | 'mark_pending'
  | 'mark_failed'

type Question = {
  readonly title: string
  readonly confirm: string
  /** The label of the button that closes the dialog. It is never "Cancel", which could be mistaken for the action. */
  readonly back: string
}

const QUESTIONS: Record<AskedAction, Question> = {
  cancel: {
    title: 'Cancel this appointment?',
    confirm: 'Cancel appointment',
    back: 'Keep appointment',
  },
  approve_cancellation: {
    title: 'Approve this cancellation?',
    confirm: 'Approve Cancellation',
    back: 'Not now',
  },
  restore: { title: 'Restore this appointment?', confirm: 'Restore', back: 'Keep cancelled' },
  refund: { title: 'Refund this payment?', confirm: 'Refund', back: 'Keep payment' },
  mark_paid: { title: 'Mark this payment as paid?', confirm: 'Mark as Paid', back: 'Go back' },
  mark_pending: { title: 'Mark this payment as pending?', confirm: 'Mark as Pending', back: 'Go back' },
  mark_failed: { title: 'Mark this payment as failed?', confirm: 'Mark as Failed', back: 'Go back' },
}

/** True for actions whose confirm button has the danger style, because they take something from the customer. */
export function isDestructiveAction(action: AppointmentAction): boolean {
  return action !== 'restore' && action !== 'mark_paid'
}

/** Returns the texts of an action's confirmation dialog; null if the action needs no confirmation. Source: rule A14. */
export function findActionConfirmation(action: AppointmentAction): Question | null {
  return action in QUESTIONS ? QUESTIONS[action as AskedAction] : null // safe: it is one of the keys
}

/** Describes the effects of an action in the confirmation dialog, one sentence per effect. */
export function listActionConsequences(
  action: AppointmentAction,
  appointment: Pick<AppointmentRow, 'status' | 'payment_status' | 'price' | 'customers' | 'ends_at'>,
  nowMs: number,
): string[] {
  const state = toAppointmentState(appointment)
  const decision = decideAction(action, state)
  if (!decision.ok) return []
  const ends = decision.announces === 'cancelled'
  const markedAs = MARKED_AS[action]
  return [
    ...(markedAs === undefined ? [] : [`The payment will be marked as ${markedAs}.`]),
    ...(ends ? ['The appointment will be cancelled, and its time can be booked again.'] : []),
    ...(decision.takesTime ? [aboutReturn(decision.to)] : []),
    ...(ends || decision.takesTime ? [whoIsTold(appointment, nowMs)] : []),
    ...(returnsToAwaitingPayment(state, decision.to)
      ? ['The appointment will await payment again. Its time stays reserved, and nobody gets an email.']
      : []),
    ...(action === 'refund' ? ['If it was paid manually, please refund it yourself.'] : []),
    ...(decision.to.status === 'pending_cancellation'
      ? ['The cancellation request stays open until you answer it.']
      : []),
    // Say nothing about the payment if the action changes it, or if the owner chooses a refund in the same dialog.
    // Source: rule Q8.
    ...(decision.to.paymentStatus !== state.paymentStatus || (ends && hasRefundChoice(appointment))
      ? []
      : aboutPayment(state)),
  ]
}

const MARKED_AS: Partial<Record<AppointmentAction, string>> = {
  mark_paid: 'paid',
  refund: 'refunded',
  mark_pending: 'pending',
  mark_failed: 'failed',
}

/** Describes the state of an appointment after it is restored. */
function aboutReturn({ status }: AppointmentState): string {
  return status === 'confirmed'
    ? 'The appointment will be confirmed again, and its time reserved.'
    : 'The appointment will await payment, and its time will be reserved.'
}

function whoIsTold(
  { customers, ends_at }: Pick<AppointmentRow, 'customers' | 'ends_at'>,
  nowMs: number,
): string {
  if (Date.parse(ends_at) <= nowMs) return 'It’s in the past, so nobody gets an email.'
  const name = customers.name || 'The customer'
  if (!customers.email) return `${name} has no email address, so please tell them yourself.`
  return `We’ll email ${customers.name || 'the customer'}.`
}

/** Describes the payment, which cancelling and restoring do not change. */
function aboutPayment({ paymentStatus }: AppointmentState): string[] {
  if (paymentStatus === 'refunded') return ['The payment stays refunded.']
  if (paymentStatus === 'paid') return ['The payment stays until you refund it.']
  return paymentStatus === 'pending' ? ['The payment stays pending.'] : []
}

/** Converts an appointment to the state that decides which actions are possible. */
export function toAppointmentState({
  status,
  payment_status,
}: Pick<AppointmentRow, 'status' | 'payment_status'>): AppointmentState {
  return { status, paymentStatus: payment_status }
}

/** True if the owner can choose a refund when cancelling. Source: rule Q8. */
export function hasRefundChoice({
  payment_status,
  price,
}: Pick<AppointmentRow, 'payment_status' | 'price'>): boolean {
  return payment_status === 'paid' && price !== null && price > 0
}
