import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { instantInputSchema, instantSchema } from '#contract/shared/primitives.ts'
import { slotCountsPerDayQuery, slotsQuery } from '#contract/slots/slots.ts'

/** The reason why a customer cannot move an appointment. Source: rule A19. */
export const moveObstacleSchema = z.enum(['state', 'not_allowed', 'too_late', 'too_often'])
export type MoveObstacle = z.infer<typeof moveObstacleSchema>

/** Whether a customer can move an appointment, according to the policy of the booking. */
export const moveTermsResponse = componentSchema('MoveTerms', {
  obstacle: moveObstacleSchema.nullable(),
  /** The latest time at which the customer can move the appointment; null when there is an obstacle. */
  until: instantSchema.nullable(),
  /** Number of further moves that the customer can make; null for no limit. */
  times_left: z.number().int().nullable(),
  /** Other times that the owner offers because the current time no longer suits the owner. Source: rule A23. */
  offer: z
    .object({
      /** The offered times that are still available. */
      times: z.array(instantSchema),
      message: z.string(),
      /**
       * The time at which the page's date picker opens: the first offered time, or the first available time after the owner's
       * absence.
       */
      opens_at: instantSchema,
    })
    .nullable(),
})
export type MoveTermsResponse = z.infer<typeof moveTermsResponse>

const newStart = instantInputSchema({
  unreadable: 'booking.time_required',
  tooEarly: 'booking.slot_unavailable',
  tooLate: 'booking.slot_unavailable',
})

/** A customer's request to move an appointment. */
export const moveByCustomerBody = componentSchema('MoveManagedAppointment', {
  starts_at: newStart,
  /** The start time that the page showed. The request is refused when the appointment has been moved since. */
  expected_starts_at: newStart,
})

/**
 * A request for the times to which an appointment can be moved. It has no appointment type, because the appointment determines
 * it.
 */
export const moveSlotsQuery = slotsQuery.omit({ appointment_type_id: true })
export const moveDaysQuery = slotCountsPerDayQuery.omit({ appointment_type_id: true })
