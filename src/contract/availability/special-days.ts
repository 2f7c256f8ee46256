import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { clockTimeSchema, dateSchema, idSchema, singleLineSchema } from '#contract/shared/primitives.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { openingRangeSchema } from './opening-hours.ts'

/**
 * Consecutive days with their own opening hours instead of the weekly ones, in the calendar's time zone. Days without hours are
 * closed (rule T34).
 */
export const specialDaysSchema = componentSchema('SpecialDays', {
  id: idSchema,
  first_date: dateSchema,
  last_date: dateSchema,
  /** The opening hours on these days, sorted by start. */
  hours: z.array(z.object({ start_time: clockTimeSchema, end_time: clockTimeSchema })),
  /** A note that only the owner sees. */
  note: z.string().nullable(),
  /** A note that customers read on a day without times. Source: rule T59. */
  public_note: z.string().nullable(),
  /** The number of future appointments on these days. They remain unchanged. */
  appointments: z.number().int(),
})
export type SpecialDaysEntry = z.infer<typeof specialDaysSchema>

/** Current and future entries, earliest first. */
export const specialDaysResponse = componentSchema('SpecialDaysList', {
  special_days: z.array(specialDaysSchema),
})
export type SpecialDaysResponse = z.infer<typeof specialDaysResponse>

const fields = z.object({
  first_date: dateSchema,
  last_date: dateSchema,
  /** An empty list closes these days. */
  hours: z.array(openingRangeSchema).max(LIMITS.rangesPerWeekday, 'availability.too_many'),
  note: singleLineSchema(LIMITS.specialDaysNote).nullable().default(null),
  public_note: singleLineSchema(LIMITS.specialDaysPublicNote).nullable().default(null),
})

/** A new entry of special days (rule T34). */
export const specialDaysBody = fields.superRefine(refine).meta({ id: 'NewSpecialDays' })
export type SpecialDaysBody = z.input<typeof specialDaysBody>
export type NewSpecialDays = z.output<typeof specialDaysBody>

/** The new values of an entry. `was` contains the values that the form showed before the edit (rule X4). */
export const specialDaysChanges = fields
  .extend({ was: fields.optional() })
  .superRefine(refine)
  .meta({ id: 'SpecialDaysChange' })

type Given = z.output<typeof fields>

function refine(given: Given, context: z.RefinementCtx): void {
  const dates = findDateIssue(given)
  if (dates !== null) context.addIssue({ code: 'custom', path: ['last_date'], message: dates })
  for (const index of listOverlaps(given)) {
    context.addIssue({
      code: 'custom',
      path: ['hours', index, 'start_time'],
      message: 'special_days.hours_overlap',
    })
  }
}

function findDateIssue({ first_date, last_date }: Given): string | null {
  const days = toDayNumber(last_date) - toDayNumber(first_date) + 1
  if (days < 1) return 'special_days.first_after_last'
  return days > LIMITS.specialDaysLength ? 'special_days.too_long' : null
}

/** Returns the indexes of the ranges that start before the previous range has ended. */
function listOverlaps({ hours }: Given): number[] {
  const inOrder = hours
    .map((range, index) => ({ ...range, index }))
    .sort((a, b) => a.start_time.localeCompare(b.start_time))
  return inOrder.flatMap(({ start_time, index }, i) => {
    const before = inOrder[i - 1]
    return before !== undefined && start_time < before.end_time ? [index] : []
  })
}
