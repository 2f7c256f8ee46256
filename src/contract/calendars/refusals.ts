import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { idSchema, instantSchema, storableTextSchema } from '#contract/shared/primitives.ts'
import { START_REASONS } from '#core/slots/explain-start.ts'

/** The page before this cursor, which is `next` of the response before it. */
export const activityPageQuery = z.object({
  before: storableTextSchema()
    .regex(/^[1-9]\d{0,15}$/)
    .optional(),
})

/** A start that customers were refused. The same refusal within an hour is listed once. Source: rule T75. */
export const refusalSchema = componentSchema('Refusal', {
  id: idSchema,
  /** The time of the last refusal. */
  at: instantSchema,
  times: z.int(),
  starts_at: instantSchema,
  /** Null for an appointment without a type, and when the type was deleted. */
  appointment_type_name: z.string().nullable(),
  /** Most important first. */
  reasons: z.array(z.enum(START_REASONS)),
})
export type Refusal = z.infer<typeof refusalSchema>

export const refusalsResponse = componentSchema('RefusalList', {
  refusals: z.array(refusalSchema),
  /** The cursor of the next page; null on the last page. */
  next: z.string().nullable(),
})
export type RefusalsResponse = z.infer<typeof refusalsResponse>
