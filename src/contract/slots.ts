import { z } from 'zod'
import { clockSchema, dateSchema, idSchema, instantSchema } from './primitives.ts'

/** Open times of one day, as the booking page shows them. */
export const slotsQuery = z.object({ date: dateSchema, appointment_type_id: idSchema.optional() })

export const slotSchema = z.object({
  slot_start: clockSchema,
  slot_end: clockSchema,
  starts_at: instantSchema,
  ends_at: instantSchema,
})
export type Slot = z.infer<typeof slotSchema>

export const slotsResponse = z.object({
  date: dateSchema,
  time_zone: z.string(),
  slots: z.array(slotSchema),
})
export type SlotsResponse = z.infer<typeof slotsResponse>

/** How many open times each day of a range has; at most 62 days. */
export const daysQuery = z.object({
  from: dateSchema,
  to: dateSchema,
  appointment_type_id: idSchema.optional(),
})

export const daysResponse = z.object({
  time_zone: z.string(),
  days: z.array(z.object({ date: dateSchema, open_slots: z.number().int() })),
})
export type DaysResponse = z.infer<typeof daysResponse>
