import { SECOND_MS } from '#core/shared/duration.ts'
import { OwnerUrlError } from '#server/platform/http/owner-url-error.ts'
import { type CalendarErrorKind, CalendarProviderError } from '#server/ports/external-calendar.ts'

const KINDS: Readonly<Record<OwnerUrlError['problem'], CalendarErrorKind>> = {
  invalid: 'refused',
  private: 'address_refused',
  unencrypted: 'refused',
  too_large: 'refused',
  too_slow: 'unavailable',
  unreachable: 'unavailable',
}

const STATUSES: Readonly<Record<number, readonly [CalendarErrorKind, string]>> = {
  401: ['expired', 'The server rejected the user name and password.'],
  403: ['forbidden', 'The server doesn’t allow this.'],
  404: ['gone', 'The server no longer has it.'],
  408: ['unavailable', 'The server didn’t respond in time.'],
  410: ['gone', 'The server no longer has it.'],
  412: ['conflict', 'It has changed on the server.'],
  429: ['rate_limited', 'The server asked us to wait.'],
}

/** Longest wait before a retry: one hour. Longer waits requested by a server are shortened. */
const LONGEST_WAIT_MS = 3_600 * SECOND_MS

/** Translates the reason why a URL was not fetched into an error of the port. */
export function toUrlFetchError(error: unknown): CalendarProviderError {
  if (error instanceof CalendarProviderError) return error
  if (error instanceof OwnerUrlError) {
    return new CalendarProviderError(KINDS[error.problem], error.message, { cause: error })
  }
  return new CalendarProviderError('unavailable', 'The server answered in a way that is not known.', {
    cause: error,
  })
}

/** Translates the error status of a response into an error of the port. */
export function toResponseError({
  status,
  headers,
}: Pick<Response, 'status' | 'headers'>): CalendarProviderError {
  const retryAfterMs = toWaitMs(headers.get('retry-after'))
  const [kind, message] = STATUSES[status] ?? [
    status >= 500 ? 'unavailable' : 'refused',
    status >= 500 ? 'The server has a problem right now.' : 'The server rejected this.',
  ]
  return new CalendarProviderError(kind, message, { retryAfterMs, cause: new Error(`status ${status}`) })
}

/** Statuses by which a server rejects an event's content: too large, wrong type, not processable. */
const EVENT_REFUSED = new Set([413, 415, 422])
/** Names of the preconditions by which a server rejects an event's content. Source: RFC 4791 §5.3.2.1. */
const EVENT_PRECONDITIONS =
  /\b(valid-calendar-data|supported-calendar-data|valid-calendar-object-resource|max-resource-size)\b/

/** Translates an error response to a write into an error of the port. `text` is the body of the response. */
export function toWriteResponseError(
  answer: Pick<Response, 'status' | 'headers'>,
  text: string,
): CalendarProviderError {
  const { status } = answer
  const isNotTaken =
    EVENT_REFUSED.has(status) || ((status === 403 || status === 409) && EVENT_PRECONDITIONS.test(text))
  if (!isNotTaken) return toResponseError(answer)
  return new CalendarProviderError('event_refused', 'The server does not take this event.', {
    cause: new Error(`status ${status}`),
  })
}

/** Parses the Retry-After header, which contains a number of seconds or a date. Source: RFC 9110 §10.2.3. */
function toWaitMs(text: string | null): number | null {
  if (text === null) return null
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_WAIT_MS) : null
}
