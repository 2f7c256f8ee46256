import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { hourCycleSchema, idSchema, instantSchema } from '#contract/shared/primitives.ts'

/** A test appointment, which an owner books with their own address. Source: rule U34. */
export const testAppointmentSchema = componentSchema('TestAppointment', {
  id: idSchema,
  starts_at: instantSchema,
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
  /** The address that gets the emails for the customer. */
  email: z.string(),
})
export type TestAppointment = z.infer<typeof testAppointmentSchema>
