import type { z } from 'zod'
import { invalidRequest } from './fault.ts'

/** @throws StripeFault that names the first parameter which does not fit */
export function parseBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const { data, error } = schema.safeParse(body)
  if (error === undefined) return data
  const [issue] = error.issues
  const [first = '', ...rest] = issue?.path.map(String) ?? []
  const param = `${first}${rest.map((name) => `[${name}]`).join('')}`
  throw invalidRequest(`${issue?.message ?? 'Invalid request'}: ${param}`, { param })
}
