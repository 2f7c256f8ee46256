import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  clockTimeSchema,
  dateSchema,
  idSchema,
  instantSchema,
  singleLineSchema,
} from '#contract/shared/primitives.ts'
import { findCanonicalTimeZone } from '#contract/shared/stored-zone.ts'

/** The time zone of the dates and times; the calendar's zone when absent. */
export const shownZone = singleLineSchema(LIMITS.timeZone)
  .refine((zone) => findCanonicalTimeZone(zone) !== null, 'calendar.time_zone_unknown')
  // Available times are cached under the zone's stored name, so that different spellings share one cache entry.
  .transform((zone) => findCanonicalTimeZone(zone) ?? zone)
  .optional()

/** A request for the available times of one day, as the booking page shows them. */
export const slotsQuery = z.object({
  date: dateSchema,
  appointment_type_id: idSchema.optional(),
  time_zone: shownZone,
})

/** What an owner moves: one appointment, or everybody in its session. Source: rule B60. */
export const movedSchema = z.enum(['appointment', 'session']).default('appointment')

/** A request for the times to which an owner can move an appointment, in the calendar's time zone. */
export const ownerMoveSlotsQuery = slotsQuery.pick({ date: true }).extend({ moved: movedSchema })

export const slotSchema = componentSchema('Slot', {
  slot_start: clockTimeSchema,
  slot_end: clockTimeSchema,
  starts_at: instantSchema,
  ends_at: instantSchema,
  /** The free seats of the session; absent for a type without seats, or when its owner hides the number. Source: rule B53. */
  seats_left: z.number().int().optional(),
})
export type Slot = z.infer<typeof slotSchema>

export const slotsResponse = componentSchema('Slots', {
  date: dateSchema,
  time_zone: z.string(),
  slots: z.array(slotSchema),
  /** Tells customers why a date has no times, in the owner's words if there are any. Source: rules T59, T70 and T80. */
  note: z.string().optional(),
})
export type SlotsResponse = z.infer<typeof slotsResponse>

/** A request for the number of available times on each day of a range of at most 62 days. */
export const slotCountsPerDayQuery = z.object({
  from: dateSchema,
  to: dateSchema,
  appointment_type_id: idSchema.optional(),
  time_zone: shownZone,
})

export const slotCountsPerDayResponse = componentSchema('Days', {
  time_zone: z.string(),
  days: z.array(z.object({ date: dateSchema, open_slots: z.number().int() })),
})
export type SlotCountsPerDay = z.infer<typeof slotCountsPerDayResponse>

/** A request for the first available times from now on. */
export const firstAvailableTimesQuery = slotsQuery.omit({ date: true })

export const firstAvailableTimesResponse = componentSchema('FirstTimes', {
  time_zone: z.string(),
  /** The first days with available times, each with its first times (rule T33). */
  days: z.array(z.object({ date: dateSchema, slots: z.array(slotSchema) })),
})
export type FirstAvailableTimesResponse = z.infer<typeof firstAvailableTimesResponse>
