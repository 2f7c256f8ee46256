import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { idSchema } from '#contract/shared/primitives.ts'
import { PAGE_PROBLEM_KINDS } from '#core/calendars/page-problems.ts'

export const pageProblemSchema = componentSchema('PageProblem', {
  calendar_id: idSchema,
  calendar_name: z.string(),
  kind: z.enum(PAGE_PROBLEM_KINDS),
  /** The appointment type that has the problem; null for the whole page. */
  appointment_type_name: z.string().nullable(),
})
export type PageProblem = z.infer<typeof pageProblemSchema>

/** The problems of all pages of an owner, by calendar. */
export const pageProblemsResponse = componentSchema('PageProblemList', {
  problems: z.array(pageProblemSchema),
})
export type PageProblemsResponse = z.infer<typeof pageProblemsResponse>
