import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { idSchema, instantSchema } from '#contract/shared/primitives.ts'
import { ownerChosenStartSchema } from './owner-booking.ts'

/** An owner's request to move an appointment. Source: rule A16. */
export const moveAppointmentBody = componentSchema('MoveAppointment', {
  starts_at: ownerChosenStartSchema,
  /** The new duration in minutes; absent to keep the current one. */
  duration: z.number().int().min(LIMITS.typeDurationMin).max(LIMITS.typeDurationMax).optional(),
  /** The start time that the form showed. The request is refused when the appointment has been moved since. */
  expected_starts_at: ownerChosenStartSchema,
  /** True when the owner confirmed a time that customers are not offered. */
  outside_hours: z.boolean().default(false),
  notify_customer: z.boolean().default(true),
  /** True to move everybody in the session of the appointment. Source: rule B60. */
  whole_session: z.boolean().default(false),
})

export const moveAppointmentResponse = componentSchema('MovedAppointment', {
  id: idSchema,
  starts_at: instantSchema,
  ends_at: instantSchema,
  /**
   * The state of the email to the customer. `none`: the customer has no email address, the owner wants no email, or the
   * appointment already had this time.
   */
  email: z.enum(['queued', 'failed', 'none']),
})
export type MoveAppointmentResponse = z.infer<typeof moveAppointmentResponse>

export const moveOwnAppointmentResponse = moveAppointmentResponse
  .extend({
    /** A sentence about something that the owner has to check. */
    warning: z.string().nullable(),
  })
  .meta({ id: 'MovedOwnAppointment' })
export type MoveOwnAppointmentResponse = z.infer<typeof moveOwnAppointmentResponse>
