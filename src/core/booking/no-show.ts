import type { AppointmentState } from './appointment-actions.ts'

/**
 * Whether its owner can mark that nobody came: to an appointment that has begun and was neither cancelled nor a hold.
 * Source: rule Q11.
 */
export function canMarkNoShow(
  appointment: { readonly state: Pick<AppointmentState, 'status'>; readonly startsAtMs: number },
  nowMs: number,
): boolean {
  return appointment.state.status === 'confirmed' && appointment.startsAtMs <= nowMs
}
