import type { AppointmentState } from './appointment-actions.ts'

/** Why a bulk change skips an appointment that was cancelled after the owner chose it. */
export const CANCELLED_MEANWHILE = 'It has been cancelled.'

/** What the owner must do first, by the status of the appointment. */
const OBSTACLES = {
  confirmed: null,
  pending_cancellation: 'The customer has asked to cancel: please answer.',
  pending_payment: 'It’s paid but not confirmed: please confirm it.',
  cancelled: CANCELLED_MEANWHILE,
} as const satisfies Record<AppointmentState['status'], string | null>

/**
 * Returns why a customer cannot be offered other times, or null. Customers can move confirmed appointments only.
 * Source: rules A19 and A23.
 */
export function findMoveOfferObstacle(status: AppointmentState['status']): string | null {
  return OBSTACLES[status]
}
