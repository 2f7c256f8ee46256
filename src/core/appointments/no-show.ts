import type { AppointmentState } from './appointment-actions.ts'

/**
 * True when the owner can mark the customer as a no-show: the appointment has started and is neither cancelled nor a
 * hold. Source: rule Q11.
 */
export function canMarkNoShow(
  appointment: { readonly state: Pick<AppointmentState, 'status'>; readonly startsAtMs: number },
  nowMs: number,
): boolean {
  return appointment.state.status === 'confirmed' && appointment.startsAtMs <= nowMs
}
