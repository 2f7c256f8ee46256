import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { dateSchema, idSchema } from '#contract/shared/primitives.ts'
import { PAGE_PROBLEM_KINDS } from '#core/calendars/page-problems.ts'
import { START_REASONS } from '#core/slots/explain-start.ts'

export const pageProblemSchema = componentSchema('PageProblem', {
  calendar_id: idSchema,
  calendar_name: z.string(),
  kind: z.enum(PAGE_PROBLEM_KINDS),
  /** The appointment type that has the problem; null for the whole page. */
  appointment_type_name: z.string().nullable(),
  /** The date of a standing appointment that could not be booked; null for other problems. Source: rule B44. */
  missed_date: z
    .object({
      customer_name: z.string(),
      date: dateSchema,
      reason: z.enum([...START_REASONS, 'type_deleted']),
    })
    .nullable(),
})
export type PageProblem = z.infer<typeof pageProblemSchema>

/** The problems of all pages of an owner, by calendar. */
export const pageProblemsResponse = componentSchema('PageProblemList', {
  problems: z.array(pageProblemSchema),
})
export type PageProblemsResponse = z.infer<typeof pageProblemsResponse>
