const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EPIPE',
  'EDNS',
  'ESOCKET',
  'ECONNECTION',
])
const TIMED_OUT = new Set(['ETIMEDOUT', 'ETIMEOUT', 'ABORT_ERR'])

/** The mailer's own words for an answer; they hold a code and a command, and nobody's address. */
const ANSWER = /^The mail server answered \d{3}( to [A-Z]{1,20})?$/

/**
 * Why a message did not leave, for its owner: no addresses, nothing about the operator's machines. The whole error goes
 * into the log with the job.
 */
export function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (ANSWER.test(message)) return message
  const name = error instanceof Error ? error.name : ''
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (name === 'TimeoutError' || name === 'AbortError' || TIMED_OUT.has(code)) {
    return 'The mail server did not answer in time'
  }
  return UNREACHABLE.has(code)
    ? 'The mail server could not be reached'
    : 'The message could not be handed over'
}
