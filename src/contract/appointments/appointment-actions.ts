import { z } from 'zod'
import { priceSchema } from '#contract/availability/appointment-types.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { expectedStartSchema, idSchema } from '#contract/shared/primitives.ts'
import { APPOINTMENT_ACTIONS } from '#core/appointments/appointment-actions.ts'
import { appointmentStatus, paymentStatus } from './bookings.ts'

const state = { status: appointmentStatus, payment_status: paymentStatus }

/**
 * An owner's action on an appointment. `was` is the state that the owner saw. When the state has changed since, the action is
 * refused with `appointment.changed_meanwhile`, unless the appointment already has the state that the action leads to. Source:
 * rule A8.
 */
export const appointmentActionBody = componentSchema('AppointmentAction', {
  action: z.enum(APPOINTMENT_ACTIONS),
  was: z.object({ ...state, starts_at: expectedStartSchema }).optional(),
  /**
   * The refund for a cancellation, in currency units with two decimals. It defaults to the policy's refund, and must not be
   * lower. Source: rule Q8.
   */
  refund_amount: priceSchema.optional(),
})
export type AppointmentActionBody = z.infer<typeof appointmentActionBody>

export const appointmentActionResponse = componentSchema('AppointmentActionDone', {
  id: idSchema,
  ...state,
  /** The change that the customer is notified of; null when the status did not change. */
  announced: z.enum(['confirmed', 'restored', 'cancelled', 'cancellation_denied']).nullable(),
  /**
   * The state of the email to the customer. `none`: the customer has no email address, the appointment is over, or the email was
   * already sent.
   */
  email: z.enum(['queued', 'failed', 'none']),
  /** A sentence about something that the owner still has to do or check. */
  warning: z.string().nullable(),
})
export type AppointmentActionResponse = z.infer<typeof appointmentActionResponse>

/** Marks or unmarks an appointment as a no-show. Source: rule Q11. */
export const noShowBody = componentSchema('NoShow', { no_show: z.boolean() })
export const noShowResponse = componentSchema('NoShowDone', { id: idSchema, no_show: z.boolean() })
export type NoShowResponse = z.infer<typeof noShowResponse>

/** How the owner settles a refund that failed: retry it, or confirm that it was paid by hand. Source: rule Q10. */
export const settleRefundBody = componentSchema('SettleRefund', { way: z.enum(['retry', 'by_hand']) })
export type SettleRefundBody = z.infer<typeof settleRefundBody>
