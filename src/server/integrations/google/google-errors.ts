import { z } from 'zod'
import {
  type FailedRequest,
  findRequestSpecificErrorKind,
  toErrorKind,
} from '#server/integrations/oauth/error-kinds.ts'
import { parseRetryAfter } from '#server/integrations/oauth/parse-retry-after.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type CalendarErrorKind, CalendarProviderError } from '#server/ports/external-calendar.ts'

/** Source: https://developers.google.com/workspace/calendar/api/guides/errors */
const errorBody = z.object({
  error: z.object({
    errors: z
      .array(z.object({ reason: z.string().optional() }))
      .min(1)
      .catch([{}]),
  }),
})

/** Reasons of a 403 response that mean rate limiting. */
const PAUSE_REASONS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'calendarUsageLimitsExceeded',
])
/** Reasons of a 403 response that only the operator can fix, in the Google Cloud console. */
const OPERATOR_REASONS = new Set(['accessNotConfigured', 'SERVICE_DISABLED'])

const SENTENCES: Readonly<Record<CalendarErrorKind, string>> = {
  expired: 'Google no longer accepts this connection.',
  forbidden: 'This Google account doesn’t allow that.',
  cursor_lost: 'Google asks for a full sync.',
  gone: 'Google has no such calendar or event.',
  conflict: 'The event was changed in Google Calendar.',
  rate_limited: 'Google asked us to wait.',
  unavailable: 'Google didn’t respond.',
  refused: 'Google refused the request.',
  event_refused: 'Google doesn’t accept this event.',
  address_refused: 'Google refused the request.',
}

/**
 * Translates errors of Google's library into those of the port. The library's errors contain requests and responses, so
 * none is attached as a cause. Any other error is a bug of ours and is returned unchanged.
 */
export function toCalendarError(error: unknown, now: Clock, question: FailedRequest): unknown {
  if (!isOfLibrary(error)) return error
  if (error.response === undefined) return buildError('unavailable', error.message)
  const { status, headers, data } = error.response
  const reason = errorBody.safeParse(data).data?.error.errors[0]?.reason ?? ''
  const kind = findRequestSpecificErrorKind(status, question) ?? kindOf(status, reason)
  const retryAfterMs = kind === 'rate_limited' ? parseRetryAfter(headers.get('retry-after'), now()) : null
  return buildError(kind, `${status} ${reason}`, retryAfterMs)
}

type LibraryError = Error & {
  readonly response?: { readonly status: number; readonly headers: Headers; readonly data: unknown }
}

/**
 * True for the library's request errors. They are recognised by their `config`, because their class is in one of the
 * library's own packages.
 */
function isOfLibrary(error: unknown): error is LibraryError {
  return error instanceof Error && 'config' in error
}

function buildError(kind: CalendarErrorKind, cause: string, retryAfterMs: number | null = null) {
  return new CalendarProviderError(kind, SENTENCES[kind], { cause: new Error(cause), retryAfterMs })
}

function kindOf(status: number, reason: string): CalendarErrorKind {
  if (status === 403 && PAUSE_REASONS.has(reason)) return 'rate_limited'
  if (status === 403 && OPERATOR_REASONS.has(reason)) return 'refused'
  return toErrorKind(status)
}
