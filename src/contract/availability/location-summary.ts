import { z } from 'zod'
import { idSchema } from '#contract/shared/primitives.ts'

/** A location as the booking page shows it. */
export const locationSummary = z.object({
  id: idSchema,
  name: z.string(),
  address: z.string().nullable(),
  type: z.enum(['physical', 'online']),
})
export type LocationSummary = z.infer<typeof locationSummary>
