import { z } from 'zod'
import { parseRetryAfter } from '#server/integrations/oauth/parse-retry-after.ts'
import { type CalendarErrorKind, CalendarProviderError } from '#server/ports/external-calendar.ts'

/** Source: https://learn.microsoft.com/graph/errors */
const errorBody = z.object({ error: z.object({ code: z.string() }) })

/** Nothing of ours leads to an address that the owner typed. */
type GraphErrorKind = Exclude<CalendarErrorKind, 'address_refused'>

const SENTENCES: Readonly<Record<GraphErrorKind, string>> = {
  expired: 'Microsoft no longer accepts this connection.',
  forbidden: 'This Microsoft account does not allow that.',
  cursor_lost: 'Microsoft asks for a full sync.',
  gone: 'Microsoft has no such calendar or event.',
  conflict: 'The event was changed at Microsoft meanwhile.',
  rate_limited: 'Microsoft asks for a pause.',
  unavailable: 'Microsoft did not answer.',
  refused: 'Microsoft refused the request.',
  event_refused: 'Microsoft does not take this event.',
}

/** An account of an organisation without a mailbox in the cloud. */
const NO_MAILBOX = /^MailboxNot(Enabled|Supported)ForRESTAPI$/i

/** `syncStateNotFound`, `SyncStateInvalid`, `ErrorInvalidSyncStateData`, `resyncRequired`. */
const LOST_CODE = /syncState|resync/i
/** 410 for a cursor that is too old, 400 for one that Microsoft cannot read: it would never read it. */
const LOST_STATUSES = new Set([400, 410])

/** The number of a request to create an event was used already. Programs have met it with 409 and with 400. */
const USED_NUMBER = 'ErrorDuplicateTransactionId'

/** What Microsoft says when it does not take the content of an event: 400, and 413 for too much of it. */
const NOT_TAKEN = new Set([400, 413])

const KINDS: Readonly<Record<number, GraphErrorKind>> = {
  401: 'expired',
  403: 'forbidden',
  404: 'gone',
  408: 'unavailable',
  409: 'conflict',
  410: 'gone',
  412: 'conflict',
  429: 'rate_limited',
}

type Refusal = { readonly status: number; readonly headers: Headers; readonly body: unknown }

/** A refusal of Graph in the words of the port. Its message may name people and addresses, so it does not go along. */
export function toGraphError(
  { status, headers, body }: Refusal,
  {
    hasCursor,
    isWrite,
    nowMs,
  }: { readonly hasCursor: boolean; readonly isWrite: boolean; readonly nowMs: number },
): CalendarProviderError {
  const code = errorBody.safeParse(body).data?.error.code ?? ''
  const cause = `${status} ${code}`
  if (NO_MAILBOX.test(code)) {
    const options = { cause: new Error(cause) }
    return new CalendarProviderError('refused', 'This Microsoft account has no calendar.', options)
  }
  if (hasCursor && (LOST_STATUSES.has(status) || LOST_CODE.test(code)))
    return graphError('cursor_lost', cause)
  if (code === USED_NUMBER) return graphError('conflict', cause)
  if (isWrite && NOT_TAKEN.has(status)) return graphError('event_refused', cause)
  const retryAfter = headers.get('retry-after')
  // Graph is throttled with 503, too, and says then when to come back.
  const kind = status === 503 && retryAfter !== null ? 'rate_limited' : kindOf(status)
  return graphError(kind, cause, kind === 'rate_limited' ? parseRetryAfter(retryAfter, nowMs) : null)
}

function kindOf(status: number): GraphErrorKind {
  return status >= 500 ? 'unavailable' : (KINDS[status] ?? 'refused')
}

export function graphError(
  kind: GraphErrorKind,
  cause: string,
  retryAfterMs: number | null = null,
): CalendarProviderError {
  return new CalendarProviderError(kind, SENTENCES[kind], { cause: new Error(cause), retryAfterMs })
}

export function isKind(error: unknown, kind: CalendarErrorKind): boolean {
  return error instanceof CalendarProviderError && error.kind === kind
}
