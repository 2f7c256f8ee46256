import { type FieldError, PROBLEMS, type ProblemCode } from '#contract/problem.ts'

/** A refusal that the person should read. The one error handler turns it into problem+json. Source: rule X1. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly fields: readonly FieldError[]
  /** When it is worth trying again; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, fields: readonly FieldError[] = [], retryAfterSeconds?: number) {
    super(PROBLEMS[code].title)
    this.name = 'ProblemError'
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}
