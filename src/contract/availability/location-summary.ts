import { z } from 'zod'
import { idSchema } from '#contract/shared/primitives.ts'

/** What is said of a location where an appointment is chosen. */
export const locationSummary = z.object({
  id: idSchema,
  name: z.string(),
  address: z.string().nullable(),
  type: z.enum(['physical', 'online']),
})
export type LocationSummary = z.infer<typeof locationSummary>
