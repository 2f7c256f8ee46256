import { z } from 'zod'
import { refusalSchema } from '#contract/calendars/refusals.ts'
import { dateSchema, idSchema, instantSchema } from '#contract/shared/primitives.ts'
import { appointmentTimeCheckResponse, customDurationSchema, localTimeSchema } from './owner-booking.ts'

/** A start, and an earlier moment: were customers offered the start then? Both are on the calendar's clock. */
export const pastTimeQuery = z.object({
  date: dateSchema,
  time: localTimeSchema,
  appointment_type_id: idSchema.optional(),
  /** Only without an appointment type. */
  duration: customDurationSchema.optional(),
  moment_date: dateSchema,
  moment_time: localTimeSchema,
})

export type PastTimeQuery = z.input<typeof pastTimeQuery>

/**
 * Whether customers were offered a time at an earlier moment. `external_event`, `conflicting_appointment` and `special_day` are
 * null and `unchecked_calendars` is empty: they are not known for the past. Source: rule T78.
 */
export const pastTimeResponse = appointmentTimeCheckResponse
  .extend({
    moment: instantSchema,
    /** False when the calendar used external calendars, whose events at that moment are not known. Source: rule T79. */
    knows_all_events: z.boolean(),
    /** The refusals of this start that are kept. */
    refusals: z.array(refusalSchema),
  })
  .meta({ id: 'PastAppointmentTime' })
export type PastTime = z.infer<typeof pastTimeResponse>
