import { z } from 'zod'
import {
  type ApiErrorKind,
  type FailedRequest,
  findRequestSpecificErrorKind,
  toErrorKind,
} from '#server/integrations/oauth/error-kinds.ts'
import { parseRetryAfter } from '#server/integrations/oauth/parse-retry-after.ts'
import { type CalendarErrorKind, CalendarProviderError } from '#server/ports/external-calendar.ts'

/** Source: https://learn.microsoft.com/graph/errors */
const errorBody = z.object({ error: z.object({ code: z.string() }) })

const SENTENCES: Readonly<Record<ApiErrorKind, string>> = {
  expired: 'Microsoft no longer accepts this connection.',
  forbidden: 'This Microsoft account doesn’t allow that.',
  cursor_lost: 'Microsoft asks for a full sync.',
  gone: 'Microsoft has no such calendar or event.',
  conflict: 'The event was changed in Microsoft 365.',
  rate_limited: 'Microsoft asked us to wait.',
  unavailable: 'Microsoft didn’t respond.',
  refused: 'Microsoft refused the request.',
  event_refused: 'Microsoft doesn’t accept this event.',
}

/** Error code for an organisation's account without a mailbox in the cloud. */
const NO_MAILBOX = /^MailboxNot(Enabled|Supported)ForRESTAPI$/i

/**
 * Error codes for a lost cursor: `syncStateNotFound`, `SyncStateInvalid`, `ErrorInvalidSyncStateData`,
 * `resyncRequired`.
 */
const LOST_CODE = /syncState|resync/i
/** Error code of a create request whose idempotency key was already used. Graph has sent it with 409 and with 400. */
const USED_NUMBER = 'ErrorDuplicateTransactionId'

type Refusal = { readonly status: number; readonly headers: Headers; readonly body: unknown }

/**
 * Translates a Graph error into an error of the port. Drops Graph's message, because it can name people and addresses.
 */
export function toGraphError(
  { status, headers, body }: Refusal,
  { nowMs, ...question }: FailedRequest & { readonly nowMs: number },
): CalendarProviderError {
  const code = errorBody.safeParse(body).data?.error.code ?? ''
  const cause = `${status} ${code}`
  if (NO_MAILBOX.test(code)) {
    const options = { cause: new Error(cause) }
    return new CalendarProviderError('refused', 'This Microsoft account has no calendar.', options)
  }
  if (question.hasCursor && LOST_CODE.test(code)) return buildGraphError('cursor_lost', cause)
  if (code === USED_NUMBER) return buildGraphError('conflict', cause)
  const answered = findRequestSpecificErrorKind(status, question)
  if (answered !== null) return buildGraphError(answered, cause)
  const retryAfter = headers.get('retry-after')
  // Graph also uses 503 for rate limiting, and then sends Retry-After.
  const kind = status === 503 && retryAfter !== null ? 'rate_limited' : toErrorKind(status)
  return buildGraphError(kind, cause, kind === 'rate_limited' ? parseRetryAfter(retryAfter, nowMs) : null)
}

export function buildGraphError(
  kind: ApiErrorKind,
  cause: string,
  retryAfterMs: number | null = null,
): CalendarProviderError {
  return new CalendarProviderError(kind, SENTENCES[kind], { cause: new Error(cause), retryAfterMs })
}

export function hasErrorKind(error: unknown, kind: CalendarErrorKind): boolean {
  return error instanceof CalendarProviderError && error.kind === kind
}
