/** The lives of an appointment (rule B19). */
export type AppointmentStatus = 'confirmed' | 'cancelled' | 'pending_cancellation' | 'pending_payment'

export type CancellationRequestDecision =
  | { readonly ok: true; readonly status: 'pending_cancellation' }
  | {
      readonly ok: false
      readonly reason: 'cancellation_pending' | 'already_cancelled' | 'not_confirmed' | 'past'
    }

/** Why a status other than `confirmed` cannot be asked to be cancelled. Source: rule B19. */
const REFUSALS = {
  pending_cancellation: 'cancellation_pending',
  cancelled: 'already_cancelled',
  pending_payment: 'not_confirmed',
} as const

/**
 * Decides a customer's request to cancel. Only a confirmed appointment that has not begun can be asked for; the owner
 * then approves or denies. Source: rule B19.
 */
export function decideCancellationRequest(
  appointment: { readonly status: AppointmentStatus; readonly startsAtMs: number },
  nowMs: number,
): CancellationRequestDecision {
  if (appointment.status !== 'confirmed') return { ok: false, reason: REFUSALS[appointment.status] }
  if (appointment.startsAtMs <= nowMs) return { ok: false, reason: 'past' }
  return { ok: true, status: 'pending_cancellation' }
}
