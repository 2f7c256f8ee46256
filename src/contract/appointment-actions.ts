import { z } from 'zod'
import { APPOINTMENT_ACTIONS } from '#core/booking/appointment-actions.ts'
import { appointmentStatus, paymentStatus } from './bookings.ts'
import { idSchema } from './primitives.ts'

const state = { status: appointmentStatus, payment_status: paymentStatus }

/**
 * What an owner does to an appointment. `was` is the state that the owner saw. From another state the action is refused
 * with `appointment.changed_meanwhile`, unless the action has already led where it leads; then the answer is a success.
 * Source: rule A8.
 */
export const appointmentActionBody = z.object({
  action: z.enum(APPOINTMENT_ACTIONS),
  was: z.object(state).optional(),
})
export type AppointmentActionBody = z.infer<typeof appointmentActionBody>

export const appointmentActionResponse = z.object({
  id: idSchema,
  ...state,
  /** The new status; null when it stays. */
  announced: z.enum(['confirmed', 'restored', 'cancelled', 'cancellation_denied']).nullable(),
  /** The message to the customer: `none` without an address, when the time is over, or when it was sent before. */
  email: z.enum(['queued', 'failed', 'none']),
  /** What the owner still has to do, or to check. */
  warning: z.string().nullable(),
})
export type AppointmentActionResponse = z.infer<typeof appointmentActionResponse>
