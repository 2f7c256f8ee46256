import type { AppointmentStatus } from './cancellation-request.ts'

/** Payment status of an appointment (rule A1). */
export type PaymentStatus = 'not_required' | 'pending' | 'paid' | 'failed' | 'refunded'

/** The state that decides which actions an appointment offers. */
export type AppointmentState = { readonly status: AppointmentStatus; readonly paymentStatus: PaymentStatus }

/** In the order in which owners see them. */
export const STATUS_ACTIONS = [
  'confirm',
  'restore',
  'approve_cancellation',
  'deny_cancellation',
  'cancel',
] as const
export const PAYMENT_ACTIONS = [
  'mark_paid',
  'refund',
  'mark_pending',
  'mark_failed',
  'mark_not_required',
] as const
/** Every action that an owner can take on an appointment. */
export const APPOINTMENT_ACTIONS = [...STATUS_ACTIONS, ...PAYMENT_ACTIONS] as const

export type StatusAction = (typeof STATUS_ACTIONS)[number]
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number]
export type AppointmentAction = StatusAction | PaymentAction

type Rule = {
  readonly isOffered: (state: AppointmentState) => boolean
  /** The state after the action. */
  readonly resultOf: (state: AppointmentState) => AppointmentState
}

/** When each action is offered and what it changes. The server and the buttons use the same table. Source: rule A2. */
const RULES: Record<AppointmentAction, Rule> = {
  confirm: { isOffered: isPaidButUnconfirmed, resultOf: turning('confirmed') },
  restore: { isOffered: ({ status }) => status === 'cancelled', resultOf: turning('confirmed') },
  approve_cancellation: { isOffered: isCancellationRequested, resultOf: turning('cancelled') },
  deny_cancellation: { isOffered: isCancellationRequested, resultOf: turning('confirmed') },
  cancel: {
    isOffered: (state) => state.status === 'confirmed' || isPaidButUnconfirmed(state),
    resultOf: turning('cancelled'),
  },
  mark_paid: {
    isOffered: ({ paymentStatus }) => paymentStatus !== 'paid',
    resultOf: marking('paid', 'confirmed'),
  },
  refund: {
    isOffered: ({ paymentStatus }) => paymentStatus === 'paid',
    resultOf: marking('refunded', 'cancelled'),
  },
  mark_pending: { isOffered: isUnpaidAndNot('pending'), resultOf: marking('pending', 'pending_payment') },
  mark_failed: { isOffered: isUnpaidAndNot('failed'), resultOf: marking('failed', 'cancelled') },
  mark_not_required: { isOffered: isUnpaidAndNot('not_required'), resultOf: marking('not_required', null) },
}

function isPaidButUnconfirmed({ status, paymentStatus }: AppointmentState): boolean {
  return status === 'pending_payment' && paymentStatus === 'paid'
}

function isCancellationRequested({ status }: AppointmentState): boolean {
  return status === 'pending_cancellation'
}

/**
 * True when the owner can cancel the appointment together with others. One that waits for its payment is settled by an action on
 * the payment, because money can still arrive. Source: rules A13 and B45.
 */
export function isCancellable(state: AppointmentState): boolean {
  return RULES.cancel.isOffered(state) || RULES.approve_cancellation.isOffered(state)
}

/** A paid appointment is never marked unpaid by hand: the money is refunded or kept. Source: rule A4. */
function isUnpaidAndNot(paymentStatus: PaymentStatus): Rule['isOffered'] {
  return (state) => state.paymentStatus !== 'paid' && state.paymentStatus !== paymentStatus
}

function turning(status: AppointmentStatus): Rule['resultOf'] {
  return ({ paymentStatus }) => ({ status, paymentStatus })
}

/**
 * A payment action also sets the status, except while a cancellation request is open, which is a separate decision.
 * Source: rule A3.
 */
function marking(paymentStatus: PaymentStatus, status: AppointmentStatus | null): Rule['resultOf'] {
  return (state) => ({
    status: status === null || isCancellationRequested(state) ? state.status : status,
    paymentStatus,
  })
}

/** The status change that customer and owner are notified about. */
export type StatusAnnouncement = 'confirmed' | 'restored' | 'cancelled' | 'cancellation_denied'

export type ActionDecision =
  | {
      readonly ok: true
      readonly to: AppointmentState
      /** True when a cancelled appointment takes its time again, which must then be free. Source: rule A5. */
      readonly takesTime: boolean
      /** Null when nobody needs a message. */
      readonly announces: StatusAnnouncement | null
    }
  | { readonly ok: false }

/** Returns the result of an action, or `ok: false` when this state does not offer it. */
export function decideAction(action: AppointmentAction, from: AppointmentState): ActionDecision {
  if (!RULES[action].isOffered(from)) return { ok: false }
  const to = RULES[action].resultOf(from)
  return {
    ok: true,
    to,
    takesTime: from.status === 'cancelled' && to.status !== 'cancelled',
    announces: announcementOf(from.status, to.status),
  }
}

function announcementOf(from: AppointmentStatus, to: AppointmentStatus): StatusAnnouncement | null {
  if (from === to) return null
  if (to === 'cancelled') return 'cancelled'
  if (from === 'cancelled') return 'restored'
  if (from === 'pending_cancellation') return 'cancellation_denied'
  // A confirmed appointment that waits for payment again causes no message: its time and place stay the same.
  return to === 'confirmed' ? 'confirmed' : null
}

/**
 * True when calendar files and events of the appointment must be updated. A denied cancellation request changes nothing
 * in them. Source: rule A6.
 */
export function affectsCalendars(announcement: StatusAnnouncement | null): boolean {
  return announcement !== null && announcement !== 'cancellation_denied'
}

/**
 * True when the current state is already the result of the action, for example after a double click or in another
 * window. Source: rule A8.
 */
export function isActionAlreadyDone(
  action: AppointmentAction,
  seen: AppointmentState,
  now: AppointmentState,
): boolean {
  const decision = decideAction(action, seen)
  return decision.ok && isSameState(decision.to, now)
}

export function isSameState(a: AppointmentState, b: AppointmentState): boolean {
  return a.status === b.status && a.paymentStatus === b.paymentStatus
}

export function listStatusActions(state: AppointmentState): StatusAction[] {
  return STATUS_ACTIONS.filter((action) => RULES[action].isOffered(state))
}

export function listPaymentActions(state: AppointmentState): PaymentAction[] {
  return PAYMENT_ACTIONS.filter((action) => RULES[action].isOffered(state))
}

/**
 * True when the owner must confirm the action first: it cancels or unconfirms the appointment, refunds money, or
 * revives a cancelled appointment through its payment. A restore is explicit, so it asks only when money was already
 * refunded. Source: rule A14.
 */
export function needsConfirmation(action: AppointmentAction, state: AppointmentState): boolean {
  const decision = decideAction(action, state)
  if (!decision.ok) return false
  if (action === 'refund' || decision.announces === 'cancelled') return true
  if (action === 'restore') return state.paymentStatus === 'refunded'
  return decision.takesTime || returnsToAwaitingPayment(state, decision.to)
}

/** True when a confirmed appointment waits for payment again. */
export function returnsToAwaitingPayment(from: AppointmentState, to: AppointmentState): boolean {
  return from.status === 'confirmed' && to.status === 'pending_payment'
}
