import { z } from 'zod'
import { dateSchema } from '#contract/shared/primitives.ts'
import { SLOT_RULE_LIMITS } from '#core/slots/slot-rules.ts'

const DAYS = `Please enter whole days from 0 to ${SLOT_RULE_LIMITS.windowDays}.`
const days = z.number(DAYS).int(DAYS).min(0, DAYS).max(SLOT_RULE_LIMITS.windowDays, DAYS)

/** How far ahead customers can book, in the structure of core's `BookingWindow`. Source: rule T67. */
export const bookingWindowSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('days'), days }),
    z.object({ kind: z.literal('open_days'), days }),
    z.object({ kind: z.literal('until'), until: dateSchema }),
    z
      .object({ kind: z.literal('between'), from: dateSchema, until: dateSchema })
      .refine(({ from, until }) => from <= until, {
        path: ['until'],
        message: 'The last day is before the first day.',
      }),
  ])
  .meta({ id: 'BookingWindow' })

/** When customers can book now, as a part of a public record. Source: rule T70. */
export const bookableDatesShape = {
  /** The first and the last date on which customers can book, in the calendar's zone; null where nothing bounds it. */
  bookable_from: dateSchema.nullable(),
  bookable_until: dateSchema.nullable(),
  /** A sentence that tells customers these dates; null when nothing bounds them. */
  bookable_text: z.string().nullable(),
}
