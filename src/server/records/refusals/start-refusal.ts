import type { FieldError, ProblemCode } from '#contract/shared/problem.ts'
import type { StartReason } from '#core/slots/explain-start.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

/** A start that a customer could not have, with all the reasons against it. */
export type RefusedStart = {
  readonly calendarId: string
  /** The appointment type; null for an appointment without a type. */
  readonly typeId: string | null
  readonly startsAtMs: number
  readonly reasons: readonly StartReason[]
}

/** A refusal that a customer gets because of the time. `keepingRefusal` stores it after the transaction has ended. */
export class StartRefusal extends ProblemError {
  readonly refused: RefusedStart

  constructor(code: ProblemCode, refused: RefusedStart, errors: readonly FieldError[] = []) {
    super(code, errors)
    this.refused = refused
  }
}
