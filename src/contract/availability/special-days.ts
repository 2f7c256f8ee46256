import { z } from 'zod'
import { LIMITS } from '#contract/shared/limits.ts'
import { clockSchema, dateSchema, idSchema, line } from '#contract/shared/primitives.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { rangeSchema } from './availability.ts'

/** Days in a row that have hours of their own, wall clock of the calendar's zone. Without hours they are closed (rule T34). */
export const specialDaysSchema = z.object({
  id: idSchema,
  first_date: dateSchema,
  last_date: dateSchema,
  /** In order of their start. */
  hours: z.array(z.object({ start_time: clockSchema, end_time: clockSchema })),
  /** For the owner only. */
  note: z.string().nullable(),
  /** Future appointments on these days. They stay as they are. */
  appointments: z.number().int(),
})
export type SpecialDaysEntry = z.infer<typeof specialDaysSchema>

/** Those whose last day is today or later in the zone of the calendar, the nearest first. */
export const specialDaysResponse = z.object({ special_days: z.array(specialDaysSchema) })
export type SpecialDaysResponse = z.infer<typeof specialDaysResponse>

const fields = z.object({
  first_date: dateSchema,
  last_date: dateSchema,
  /** An empty list closes the days. */
  hours: z.array(rangeSchema).max(LIMITS.rangesPerWeekday, 'availability.too_many'),
  note: line(LIMITS.specialDaysNote).nullable().default(null),
})

/** Days with hours of their own, as the owner gives them (rule T34). */
export const specialDaysBody = fields.superRefine(refine)
export type SpecialDaysBody = z.input<typeof specialDaysBody>
export type NewSpecialDays = z.output<typeof specialDaysBody>

/** What an entry becomes, and what the form showed before (rule X4). */
export const specialDaysChange = fields.extend({ was: fields.optional() }).superRefine(refine)

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

/** The indexes of the ranges that begin before the range before them has ended, in the order of their starts. */
function listOverlaps({ hours }: Given): number[] {
  const inOrder = hours
    .map((range, index) => ({ ...range, index }))
    .sort((a, b) => a.start_time.localeCompare(b.start_time))
  return inOrder.flatMap(({ start_time, index }, i) => {
    const before = inOrder[i - 1]
    return before !== undefined && start_time < before.end_time ? [index] : []
  })
}
