/** PostgreSQL's SQLSTATE codes (PostgreSQL manual, Appendix A). */
const EXCLUSION_VIOLATION = '23P01'
const UNIQUE_VIOLATION = '23505'
const RETRYABLE = new Set(['40P01', '40001'])

/**
 * Matches SQLSTATE codes that mean that the database has a problem and the request is not at fault: connection
 * exceptions, shutdown, start-up, cancelled statements, and lack of disk, memory or connections (class 53).
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
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown } // These fields are added by pg.
  return {
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
  }
}

/**
 * A transaction read data that has changed since. `inTransaction` retries it, like a serialization failure reported by
 * the server.
 */
export class SerialisationFailure extends Error {
  readonly code = '40001'
}

/** True when retrying the same transaction may succeed. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(failureOf(error)?.code ?? '')
}

/** Returns the exclusion constraint that rejected a row, or null for any other error. */
export function findViolatedExclusionConstraint(error: unknown): string | null {
  const failure = failureOf(error)
  return failure?.code === EXCLUSION_VIOLATION ? (failure.constraint ?? '') : null
}

/** True when a row was rejected because its key already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return failureOf(error)?.code === UNIQUE_VIOLATION
}

/**
 * True when the database rejected a statement, or did not respond to it, so that its transaction is lost. The
 * database's SQLSTATE codes have five characters.
 */
export function isDatabaseError(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(failureOf(error)?.code ?? '') || isDatabaseUnavailable(error)
}

/** True when the server refused the connection: wrong password or unknown database. */
export function isDatabaseAccessDenied(error: unknown): boolean {
  return /^(28...|3D000)$/.test(failureOf(error)?.code ?? '')
}

/** True when the database could not be reached, as opposed to refusing a statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const failure = failureOf(error)
  if (failure === null) return false
  return (
    UNAVAILABLE_STATES.test(failure.code ?? '') ||
    UNAVAILABLE_CODES.has(failure.code ?? '') ||
    UNAVAILABLE_MESSAGES.test(failure.message)
  )
}
