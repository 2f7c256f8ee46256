import { z } from 'zod'
import { anyInstant, instantSchema } from '#contract/shared/primitives.ts'
import { daysQuery, slotsQuery } from '#contract/slots/slots.ts'

/** Why a customer cannot move an appointment by themselves. Source: rule A19. */
export const moveObstacle = z.enum(['state', 'not_allowed', 'too_late', 'too_often'])
export type MoveObstacle = z.infer<typeof moveObstacle>

/** Whether its customer may move an appointment, under the policy of the booking. */
export const moveTermsResponse = z.object({
  obstacle: moveObstacle.nullable(),
  /** The last moment at which the customer may move it; null where there is an obstacle. */
  until: instantSchema.nullable(),
  /** How often the customer may still move it; null for any number of times. */
  times_left: z.number().int().nullable(),
  /** What the owner, who cannot come at the present time, offers instead. Those that are still free. Source: rule A23. */
  offer: z
    .object({
      times: z.array(instantSchema),
      message: z.string(),
      /** Where a page begins to look for a time: the first that is offered or free after the days on which the owner cannot come. */
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

/** Moving an appointment to another time, by its customer. */
export const moveManagedAppointmentBody = z.object({
  starts_at: newStart,
  /** Of the appointment that the page showed, so that nobody moves what was moved meanwhile. */
  expected_starts_at: newStart,
})

/** The questions about times to which an appointment could be moved: its type is known. */
export const moveSlotsQuery = slotsQuery.omit({ appointment_type_id: true })
export const moveDaysQuery = daysQuery.omit({ appointment_type_id: true })
