import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { PROBLEMS, type ProblemCode } from './problem.ts'

const codes = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]] // Object.keys loses the key type

/** The body of every refusal (RFC 9457). */
export const problemSchema = componentSchema('Problem', {
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(codes),
  request_id: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})
