import { expect } from 'vitest'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'

/**
 * Expects the response to be this refusal from the catalogue, with its status and its title; with `field`, the error must also
 * name that field.
 */
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
