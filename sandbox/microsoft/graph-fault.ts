import { randomUUID } from 'node:crypto'
import type { SandboxFaults } from '#sandbox/calendars/account.ts'
import {
  type ProviderErrors,
  RETRY_AFTER_SECONDS,
  SandboxErrorResponse,
} from '#sandbox/calendars/sandbox-fault.ts'

/** An error response as Graph sends it. Source: https://learn.microsoft.com/graph/errors */
export class GraphErrorResponse extends SandboxErrorResponse {
  constructor(
    status: number,
    { code, message }: { readonly code: string; readonly message: string },
    headers: Readonly<Record<string, string>> = {},
  ) {
    const requestId = randomUUID()
    const innerError = {
      date: new Date().toISOString().slice(0, 19),
      'request-id': requestId,
      'client-request-id': requestId,
    }
    super(message, { status, body: { error: { code, message, innerError } }, headers })
  }
}

export const notFoundError = () =>
  new GraphErrorResponse(404, {
    code: 'ErrorItemNotFound',
    message: 'The specified object was not found in the store.',
  })
export const invalidRequestError = (message: string) =>
  new GraphErrorResponse(400, { code: 'ErrorInvalidRequest', message })
/** Source: https://learn.microsoft.com/graph/api/event-delta#odata-query-parameters */
export const unsupportedForDeltaError = () =>
  new GraphErrorResponse(400, {
    code: 'ErrorInvalidUrlQuery',
    message:
      "The following parameters are not supported with change tracking over the 'CalendarView' resource: '$orderby, $filter, $select, $expand, $search, $top'.",
  })
const badToken = () =>
  new GraphErrorResponse(401, {
    code: 'InvalidAuthenticationToken',
    message: 'Lifetime validation failed, the token is expired.',
  })
export const accessDeniedError = () =>
  new GraphErrorResponse(403, {
    code: 'ErrorAccessDenied',
    message: 'Access is denied. Check credentials and try again.',
  })
export const expiredDeltaTokenError = () =>
  new GraphErrorResponse(410, {
    code: 'SyncStateNotFound',
    message: 'The sync state generation is not found; restart the synchronization.',
  })
export const etagMismatchError = () =>
  new GraphErrorResponse(412, {
    code: 'ErrorIrresolvableConflict',
    message: 'The send or update operation could not be performed because the change key does not match.',
  })
export const duplicateTransactionError = () =>
  new GraphErrorResponse(409, {
    code: 'ErrorDuplicateTransactionId',
    message:
      "Your request can't be completed. The TransactionId specified in the request has already been used to create a different event.",
  })

/** @throws GraphErrorResponse when a failure is switched on for the account */
function failIfSwitchedOn({ isRevoked, isFailing, rateLimit }: SandboxFaults): void {
  if (isFailing) {
    throw new GraphErrorResponse(500, {
      code: 'ErrorInternalServerError',
      message: 'An internal server error.',
    })
  }
  if (isRevoked) throw badToken()
  if (rateLimit === 'off') return
  throw new GraphErrorResponse(
    429,
    { code: 'ApplicationThrottled', message: 'Application is over its MailboxConcurrency limit.' },
    rateLimit === '429_with_retry_after' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {},
  )
}

export const GRAPH_ERRORS: ProviderErrors = {
  notFound: notFoundError,
  readOnly: accessDeniedError,
  badToken,
  invalid: invalidRequestError,
  failIfSwitchedOn,
}
