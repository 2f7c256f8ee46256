import type { AppointmentState } from './appointment-actions.ts'

/** Why a change of many appointments leaves out one that was cancelled after the owner decided. */
export const CANCELLED_MEANWHILE = 'It was cancelled meanwhile.'

/** What the owner has to do first, by the status of the appointment. */
const OBSTACLES = {
  confirmed: null,
  pending_cancellation: 'Its customer asked to cancel: please answer.',
  pending_payment: 'It is paid and not confirmed: please confirm it.',
  cancelled: CANCELLED_MEANWHILE,
} as const satisfies Record<AppointmentState['status'], string | null>

/**
 * Why the customer of an appointment is not offered other times. Customers can move only a confirmed appointment, so they could not
 * choose one. Null when they can choose. Source: rules A19 and A23.
 */
export function findOfferObstacle(status: AppointmentState['status']): string | null {
  return OBSTACLES[status]
}
