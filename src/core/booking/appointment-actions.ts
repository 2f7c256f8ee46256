import type { AppointmentStatus } from './cancellation-request.ts'

/** How an appointment stands with its money (rule A1). */
export type PaymentStatus = 'not_required' | 'pending' | 'paid' | 'failed' | 'refunded'

/** Everything that decides which actions an appointment offers. */
export type AppointmentState = { readonly status: AppointmentStatus; readonly paymentStatus: PaymentStatus }

/** In the order in which an owner sees them. */
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
/** Everything an owner can do to an appointment. */
export const APPOINTMENT_ACTIONS = [...STATUS_ACTIONS, ...PAYMENT_ACTIONS] as const

export type StatusAction = (typeof STATUS_ACTIONS)[number]
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number]
export type AppointmentAction = StatusAction | PaymentAction

type Rule = {
  readonly isOffered: (state: AppointmentState) => boolean
  /** The state that the action leads to. */
  readonly resultOf: (state: AppointmentState) => AppointmentState
}

/** What an owner can do and when. Server and buttons read the same table. Source: rule A2. */
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

/** A paid appointment is never made unpaid by hand: the money goes back by a refund, or it stays. Source: rule A4. */
function isUnpaidAndNot(paymentStatus: PaymentStatus): Rule['isOffered'] {
  return (state) => state.paymentStatus !== 'paid' && state.paymentStatus !== paymentStatus
}

function turning(status: AppointmentStatus): Rule['resultOf'] {
  return ({ paymentStatus }) => ({ status, paymentStatus })
}

/**
 * A payment changes the status, unless the customer waits for an answer about a cancellation, which is a separate
 * decision. Source: rule A3.
 */
function marking(paymentStatus: PaymentStatus, status: AppointmentStatus | null): Rule['resultOf'] {
  return (state) => ({
    status: status === null || isCancellationRequested(state) ? state.status : status,
    paymentStatus,
  })
}

/** What customer and owner are told when a status has changed. */
export type Announcement = 'confirmed' | 'restored' | 'cancelled' | 'cancellation_denied'

export type ActionDecision =
  | {
      readonly ok: true
      readonly to: AppointmentState
      /** The time was given up and is taken again, so it must be free. Source: rule A5. */
      readonly takesTime: boolean
      /** Null when nobody needs to be told. */
      readonly announces: Announcement | null
    }
  | { readonly ok: false }

/** Decides an action: what it leads to, or that this state does not offer it. */
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

function announcementOf(from: AppointmentStatus, to: AppointmentStatus): Announcement | null {
  if (from === to) return null
  if (to === 'cancelled') return 'cancelled'
  if (from === 'cancelled') return 'restored'
  if (from === 'pending_cancellation') return 'cancellation_denied'
  // Nobody is told when a confirmed appointment begins to wait for its payment: its time and place stay the same.
  return to === 'confirmed' ? 'confirmed' : null
}

/**
 * Whether calendar programs that know the appointment must be told. A denied request has changed nothing in them.
 * Source: rule A6.
 */
export function affectsCalendars(announcement: Announcement | null): boolean {
  return announcement !== null && announcement !== 'cancellation_denied'
}

/**
 * Whether `now` is what the action would have made of the state that was seen. Then somebody has done it already, in
 * another window or by the first click of two. Source: rule A8.
 */
export function isDoneAlready(
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
 * Whether an owner is asked first: the action takes the appointment or its confirmation from the customer, returns
 * money, or brings a cancelled appointment back by its payment. A restore is asked for by name, so only money that is
 * gone is pointed out. Source: rule A14.
 */
export function needsConfirmation(action: AppointmentAction, state: AppointmentState): boolean {
  const decision = decideAction(action, state)
  if (!decision.ok) return false
  if (action === 'refund' || decision.announces === 'cancelled') return true
  if (action === 'restore') return state.paymentStatus === 'refunded'
  return decision.takesTime || losesConfirmation(state, decision.to)
}

/** Whether what was confirmed waits for its payment again. */
export function losesConfirmation(from: AppointmentState, to: AppointmentState): boolean {
  return from.status === 'confirmed' && to.status === 'pending_payment'
}
