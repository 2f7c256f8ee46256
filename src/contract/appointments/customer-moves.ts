import { z } from 'zod'
import { component } from '#contract/shared/component.ts'
import { anyInstant, instantSchema } from '#contract/shared/primitives.ts'
import { daysQuery, slotsQuery } from '#contract/slots/slots.ts'

/** Why a customer cannot move an appointment. Source: rule A19. */
export const moveObstacle = z.enum(['state', 'not_allowed', 'too_late', 'too_often'])
export type MoveObstacle = z.infer<typeof moveObstacle>

/** Whether a customer can move an appointment, under the policy of the booking. */
export const moveTermsResponse = component('MoveTerms', {
  obstacle: moveObstacle.nullable(),
  /** The latest time at which the customer can move it; null when there is an obstacle. */
  until: instantSchema.nullable(),
  /** How often the customer can still move it; null for any number of times. */
  times_left: z.number().int().nullable(),
  /** Other times that the owner offers, because they cannot come at the current time. Source: rule A23. */
  offer: z
    .object({
      /** The offered times that are still free. */
      times: z.array(instantSchema),
      message: z.string(),
      /** The time at which the page opens its calendar: the first offered time, or the first free time after the owner's absence. */
      opens_at: instantSchema,
    })
    .nullable(),
})
export type MoveTermsResponse = z.infer<typeof moveTermsResponse>

const newStart = anyInstant({
  unreadable: 'booking.time_required',
  tooEarly: 'booking.slot_unavailable',
  tooLate: 'booking.slot_unavailable',
})

/** A customer's request to move an appointment. */
export const moveManagedAppointmentBody = component('MoveManagedAppointment', {
  starts_at: newStart,
  /** The start that the page showed. The request is refused when the appointment has been moved since. */
  expected_starts_at: newStart,
})

/** Requests for the times to which an appointment can be moved. Its type is known. */
export const moveSlotsQuery = slotsQuery.omit({ appointment_type_id: true })
export const moveDaysQuery = daysQuery.omit({ appointment_type_id: true })
