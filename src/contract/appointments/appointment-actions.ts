import { z } from 'zod'
import { priceSchema } from '#contract/availability/appointment-types.ts'
import { idSchema, startSeen } from '#contract/shared/primitives.ts'
import { APPOINTMENT_ACTIONS } from '#core/appointments/appointment-actions.ts'
import { appointmentStatus, paymentStatus } from './bookings.ts'

const state = { status: appointmentStatus, payment_status: paymentStatus }

/**
 * What an owner does to an appointment. `was` is the state that the owner saw. From another state the action is refused
 * with `appointment.changed_meanwhile`, unless the action has already led where it leads; then the answer is a success.
 * Source: rule A8.
 */
export const appointmentActionBody = z.object({
  action: z.enum(APPOINTMENT_ACTIONS),
  was: z.object({ ...state, starts_at: startSeen }).optional(),
  /**
   * Of a cancellation: how much of what was paid goes back, in units with two decimals. Absent, it is what the policy gives. It can be
   * more and not less. Source: rule Q8.
   */
  refund_amount: priceSchema.optional(),
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

/** Whether the customer did not come. Source: rule Q11. */
export const noShowBody = z.object({ no_show: z.boolean() })
export const noShowResponse = z.object({ id: idSchema, no_show: z.boolean() })
export type NoShowResponse = z.infer<typeof noShowResponse>

/** How the owner settles what a cancellation gives back and has not gone back. Source: rule Q10. */
export const settleRefundBody = z.object({ way: z.enum(['retry', 'by_hand']) })
export type SettleRefundBody = z.infer<typeof settleRefundBody>
