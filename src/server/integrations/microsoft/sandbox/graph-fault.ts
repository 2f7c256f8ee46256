import { randomUUID } from 'node:crypto'
import type { SandboxFaults } from '#server/platform/sandbox/calendar/account.ts'

/** A refusal as Graph sends it. Source: https://learn.microsoft.com/graph/errors */
export class GraphFault extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  constructor(
    status: number,
    { code, message }: { readonly code: string; readonly message: string },
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.name = 'GraphFault'
    this.status = status
    this.headers = headers
    const requestId = randomUUID()
    const innerError = {
      date: new Date().toISOString().slice(0, 19),
      'request-id': requestId,
      'client-request-id': requestId,
    }
    this.body = { error: { code, message, innerError } }
  }
}

export const notFound = () =>
  new GraphFault(404, {
    code: 'ErrorItemNotFound',
    message: 'The specified object was not found in the store.',
  })
export const invalid = (message: string) => new GraphFault(400, { code: 'ErrorInvalidRequest', message })
export const badToken = () =>
  new GraphFault(401, {
    code: 'InvalidAuthenticationToken',
    message: 'Lifetime validation failed, the token is expired.',
  })
export const denied = () =>
  new GraphFault(403, {
    code: 'ErrorAccessDenied',
    message: 'Access is denied. Check credentials and try again.',
  })
export const cursorLost = () =>
  new GraphFault(410, {
    code: 'SyncStateNotFound',
    message: 'The sync state generation is not found; restart the synchronization.',
  })
export const otherVersion = () =>
  new GraphFault(412, {
    code: 'ErrorIrresolvableConflict',
    message: 'The send or update operation could not be performed because the change key does not match.',
  })
export const duplicate = () =>
  new GraphFault(409, {
    code: 'ErrorDuplicateTransactionId',
    message:
      "Your request can't be completed. The TransactionId specified in the request has already been used to create a different event.",
  })

const RETRY_AFTER_SECONDS = 30

/** @throws GraphFault that the page of the account has switched on */
export function failAsSwitched({ isRevoked, isFailing, rateLimit }: SandboxFaults): void {
  if (isFailing) {
    throw new GraphFault(500, { code: 'ErrorInternalServerError', message: 'An internal server error.' })
  }
  if (isRevoked) throw badToken()
  if (rateLimit === 'off') return
  throw new GraphFault(
    429,
    { code: 'ApplicationThrottled', message: 'Application is over its MailboxConcurrency limit.' },
    rateLimit === '429_with_retry_after' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {},
  )
}
