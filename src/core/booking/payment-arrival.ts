import type { AppointmentState } from './appointment-actions.ts'

/** The appointment when money for it comes in. */
export type AppointmentAwaitingPayment = AppointmentState & {
  /** A hold that nobody has ended. */
  readonly isHeld: boolean
  /** A hold that was given back. Its row is kept. */
  readonly isReleased: boolean
}

export type Money = { readonly amountCents: number; readonly currency: string; readonly accountId: string }

export type PaymentArrival =
  /** In time: the appointment is confirmed and paid. */
  | { readonly kind: 'confirm' }
  /** Too late: confirmed all the same when the time is still free, else the money goes back. Source: rule P10. */
  | { readonly kind: 'take_again' }
  /** The owner has confirmed it and waits for the money. Only the payment changes. */
  | { readonly kind: 'mark_paid' }
  | { readonly kind: 'refund'; readonly reason: 'too_late' | 'paid_already' }
  /**
   * Another amount, currency or account than was agreed: nothing is confirmed, and the owner is told. Source: rule P1.
   */
  | { readonly kind: 'mismatch' }

/**
 * Decides what to do with money that has come in through a provider. `appointment` is null when its row is gone.
 * Source: rule P1.
 */
export function decidePaymentArrival(
  appointment: AppointmentAwaitingPayment | null,
  agreed: Money,
  paid: Money,
): PaymentArrival {
  if (!isSameMoney(agreed, paid)) return { kind: 'mismatch' }
  if (appointment === null) return { kind: 'refund', reason: 'too_late' }
  if (appointment.isReleased) return { kind: 'take_again' }
  if (appointment.paymentStatus === 'paid') return { kind: 'refund', reason: 'paid_already' }
  if (appointment.status === 'cancelled') return { kind: 'refund', reason: 'too_late' }
  return { kind: appointment.status === 'pending_payment' ? 'confirm' : 'mark_paid' }
}

function isSameMoney(a: Money, b: Money): boolean {
  return (
    a.amountCents === b.amountCents &&
    a.currency.toLowerCase() === b.currency.toLowerCase() &&
    a.accountId === b.accountId
  )
}
