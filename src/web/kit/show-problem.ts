import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { PROBLEMS } from '#contract/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'

/**
 * Puts the server's remarks under the fields they belong to, the first of them focused. Says whether every remark
 * found its field; what did not has to be shown for the form as a whole.
 */
export function showFieldProblems<Values extends FieldValues>(
  problem: ApiProblem,
  setError: UseFormSetError<Values>,
  fields: readonly FieldPath<Values>[],
): boolean {
  let shown = 0
  for (const { path, message } of problem.errors) {
    const field = fields.find((name) => name === path)
    if (field === undefined) continue
    setError(field, { type: 'server', message }, { shouldFocus: shown === 0 })
    shown += 1
  }
  return shown > 0 && shown === problem.errors.length
}

/** What was caught, as an error with a sentence to show. Anything but a refusal is a bug and gets the general one. */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  return new ApiProblem({
    code: 'server.unexpected',
    status: 500,
    title: PROBLEMS['server.unexpected'].title,
  })
}
