import { type FieldError, PROBLEMS, type ProblemCode } from '#contract/problem.ts'

/** A refusal that the person should read. The one error handler turns it into problem+json. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly fields: readonly FieldError[]

  constructor(code: ProblemCode, fields: readonly FieldError[] = []) {
    super(PROBLEMS[code].title)
    this.name = 'ProblemError'
    this.code = code
    this.fields = fields
  }
}
