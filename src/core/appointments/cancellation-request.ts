/** The statuses of an appointment. Source: rule B19. */
export type AppointmentStatus = 'confirmed' | 'cancelled' | 'pending_cancellation' | 'pending_payment'

export type CancellationRequestDecision =
  | { readonly ok: true; readonly status: 'pending_cancellation' }
  | {
      readonly ok: false
      readonly reason: 'cancellation_pending' | 'already_cancelled' | 'not_confirmed' | 'past'
    }

/** Refusal codes for a cancellation request, by the current status. Source: rule B19. */
const REFUSALS = {
  pending_cancellation: 'cancellation_pending',
  cancelled: 'already_cancelled',
  pending_payment: 'not_confirmed',
} as const

/**
 * Decides on a customer's cancellation request. The appointment must be confirmed and must not have started. The owner
 * then approves or denies it. Source: rule B19.
 */
export function decideCancellationRequest(
  appointment: { readonly status: AppointmentStatus; readonly startsAtMs: number },
  nowMs: number,
): CancellationRequestDecision {
  if (appointment.status !== 'confirmed') return { ok: false, reason: REFUSALS[appointment.status] }
  if (appointment.startsAtMs <= nowMs) return { ok: false, reason: 'past' }
  return { ok: true, status: 'pending_cancellation' }
}
