import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { idSchema, instantSchema } from '#contract/shared/primitives.ts'

/** An appointment's history, newest first. */
export const appointmentHistoryResponse = componentSchema('AppointmentHistory', {
  entries: z.array(
    z.object({
      id: idSchema,
      at: instantSchema,
      kind: z.string(),
      caused_by: z.enum(['owner', 'customer', 'external_calendar', 'product']),
      /** A sentence that describes the change. */
      text: z.string(),
    }),
  ),
})
