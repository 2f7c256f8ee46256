import type { AppointmentState } from '#core/appointments/appointment-actions.ts'

/** The appointment when a payment for it arrives. */
export type AppointmentAwaitingPayment = AppointmentState & {
  /** A hold that has not been released. */
  readonly isHeld: boolean
  /** A hold that was released. Its row is kept. */
  readonly isReleased: boolean
}

/** The stored payment: what was agreed. */
type AgreedPayment = {
  readonly amount_cents: number
  readonly currency: string
  readonly provider_account_id: string
}

/** The money that arrived. */
export type Money = { readonly amountCents: number; readonly currency: string; readonly accountId: string }

export type PaymentArrival =
  /** In time: confirm the appointment and mark it paid. */
  | { readonly kind: 'confirm' }
  /** Too late: confirm if the time is still free, otherwise refund. Source: rule P10. */
  | { readonly kind: 'take_again' }
  /** The owner has already confirmed the appointment. Only the payment status changes. */
  | { readonly kind: 'mark_paid' }
  | { readonly kind: 'refund'; readonly reason: 'too_late' | 'paid_already' }
  /**
   * Amount, currency or account differ from the agreement: nothing is confirmed and the owner is notified. Source: rule
   * P1.
   */
  | { readonly kind: 'mismatch' }

/**
 * Decides what to do with money received through a provider. `appointment` is null when its row was deleted. Source:
 * rule P1.
 */
export function decidePaymentArrival(
  appointment: AppointmentAwaitingPayment | null,
  agreed: AgreedPayment,
  paid: Money,
): PaymentArrival {
  if (!isSameMoney(agreed, paid)) return { kind: 'mismatch' }
  if (appointment === null) return { kind: 'refund', reason: 'too_late' }
  if (appointment.isReleased) return { kind: 'take_again' }
  if (appointment.paymentStatus === 'paid') return { kind: 'refund', reason: 'paid_already' }
  if (appointment.status === 'cancelled') return { kind: 'refund', reason: 'too_late' }
  return { kind: appointment.status === 'pending_payment' ? 'confirm' : 'mark_paid' }
}

function isSameMoney(agreed: AgreedPayment, paid: Money): boolean {
  return (
    agreed.amount_cents === paid.amountCents &&
    agreed.currency.toLowerCase() === paid.currency.toLowerCase() &&
    agreed.provider_account_id === paid.accountId
  )
}
