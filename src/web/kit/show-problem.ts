import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'

/**
 * Shows the server's refusals under their fields, and focuses the first. Returns whether every refusal found its field;
 * the others have to be shown for the form as a whole.
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

/** Shows a refusal under its fields; else for the form as a whole, where `FormProblem` shows it. */
export function showProblem<Values extends FieldValues>(
  problem: ApiProblem,
  setError: UseFormSetError<Values>,
  fields: readonly FieldPath<Values>[],
): void {
  if (!showFieldProblems(problem, setError, fields)) setError('root', { message: problem.message })
}

/**
 * A caught value as an error with a sentence to show. Anything but a refusal is a bug and gets the general sentence.
 */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  return new ApiProblem({
    code: 'server.unexpected',
    status: 500,
    title: PROBLEMS['server.unexpected'].title,
  })
}
