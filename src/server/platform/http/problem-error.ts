import { type FieldError, PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'

/** A refusal, with a message that the user can read. The error handler converts it to problem+json. Source: rule X1. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly fields: readonly FieldError[]
  /** Seconds until a retry makes sense; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, fields: readonly FieldError[] = [], retryAfterSeconds?: number) {
    super(PROBLEMS[code].title)
    this.name = 'ProblemError'
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}
