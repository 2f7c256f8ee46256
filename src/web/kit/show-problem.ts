import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'

/**
 * Shows the server's field errors under their fields, and focuses the first. Returns true if every error belonged to a field.
 * Otherwise, the caller has to show the problem for the whole form.
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

/** Shows a problem under its fields, or for the whole form, where `FormProblem` renders it. */
export function showProblem<Values extends FieldValues>(
  problem: ApiProblem,
  setError: UseFormSetError<Values>,
  fields: readonly FieldPath<Values>[],
): void {
  if (!showFieldProblems(problem, setError, fields)) setError('root', { message: problem.message })
}

/**
 * Converts a caught value to a problem with a message to show. Any value other than an `ApiProblem` is a bug and gets the generic
 * error message.
 */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  return new ApiProblem({
    code: 'server.unexpected',
    status: 500,
    title: PROBLEMS['server.unexpected'].title,
  })
}
