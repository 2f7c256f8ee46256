import { expect } from 'vitest'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'

/** The answer is this refusal of the catalogue, with its status and its sentence; where named, also under the field. */
export function expectRefusal(
  response: { statusCode: number; json: () => unknown },
  code: ProblemCode,
  field?: string,
): void {
  const { status, title } = PROBLEMS[code]
  expect(response.json()).toMatchObject({
    code,
    title,
    ...(field === undefined ? {} : { errors: [{ path: field, message: title }] }),
  })
  expect(response.statusCode).toBe(status)
}
