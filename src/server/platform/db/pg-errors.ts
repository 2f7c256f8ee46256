/** What PostgreSQL's SQLSTATE codes mean to us (PostgreSQL manual, Appendix A). */
const EXCLUSION_VIOLATION = '23P01'
const UNIQUE_VIOLATION = '23505'
const RETRYABLE = new Set(['40P01', '40001'])

/**
 * Connection exceptions, shutdown, start-up, cancelled statements, and want of room, memory or connections (class 53):
 * the database is in trouble; the request is not wrong.
 */
const UNAVAILABLE_STATES = /^(08...|57P0[1-3]|53...|57014)$/
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
])
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|terminating connection|not queryable|pool after calling end/i

type DatabaseFailure = { readonly code?: string; readonly constraint?: string; readonly message: string }

function failureOf(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error)) return null
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown } // pg adds these fields
  return {
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
  }
}

/**
 * A transaction has read something that is no longer true. `inTransaction` tries it again, as when the server itself
 * had noticed.
 */
export class SerialisationFailure extends Error {
  readonly code = '40001'
}

/** Whether the same transaction may succeed when it is simply tried again. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(failureOf(error)?.code ?? '')
}

/** The exclusion constraint that refused a row, or null when it was something else. */
export function exclusionConstraintOf(error: unknown): string | null {
  const failure = failureOf(error)
  return failure?.code === EXCLUSION_VIOLATION ? (failure.constraint ?? '') : null
}

/** Whether a row was refused because there is one with the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return failureOf(error)?.code === UNIQUE_VIOLATION
}

/** Whether a statement was refused or not answered: the transaction around it is lost. SQLSTATE codes have five characters. */
export function isDatabaseError(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(failureOf(error)?.code ?? '') || isDatabaseUnavailable(error)
}

/** Whether the server refused the connection: a wrong password, or a database that does not exist. */
export function isAccessRefused(error: unknown): boolean {
  return /^(28...|3D000)$/.test(failureOf(error)?.code ?? '')
}

/** Whether the database could not be reached at all, unlike a refusal. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const failure = failureOf(error)
  if (failure === null) return false
  return (
    UNAVAILABLE_STATES.test(failure.code ?? '') ||
    UNAVAILABLE_CODES.has(failure.code ?? '') ||
    UNAVAILABLE_MESSAGES.test(failure.message)
  )
}
