import type { CalendarErrorKind } from '#server/ports/external-calendar.ts'

/** The error kinds of providers with fixed URLs, for which `address_refused` cannot occur. */
export type ApiErrorKind = Exclude<CalendarErrorKind, 'address_refused'>

const KINDS: Readonly<Record<number, ApiErrorKind>> = {
  401: 'expired',
  403: 'forbidden',
  404: 'gone',
  408: 'unavailable',
  409: 'conflict',
  410: 'gone',
  412: 'conflict',
  429: 'rate_limited',
}

/**
 * Statuses for a lost cursor: 410 for one that has expired, 400 for one that the provider cannot parse and never will.
 */
const CURSOR_LOST = new Set([400, 410])

/** Statuses with which a provider rejects an event's content: 400, and 413 when it is too large. */
const EVENT_REFUSED = new Set([400, 413])

/** The kind of request to which the provider sent an error. */
export type FailedRequest = { readonly hasCursor: boolean; readonly isWrite: boolean }

/** Maps an API status to an error kind. Used when the response says nothing more specific. */
export function toErrorKind(status: number): ApiErrorKind {
  return status >= 500 ? 'unavailable' : (KINDS[status] ?? 'refused')
}

/** Returns the error kind for statuses whose meaning depends on the request; null for other statuses. */
export function findRequestSpecificErrorKind(
  status: number,
  { hasCursor, isWrite }: FailedRequest,
): ApiErrorKind | null {
  if (hasCursor && CURSOR_LOST.has(status)) return 'cursor_lost'
  return isWrite && EVENT_REFUSED.has(status) ? 'event_refused' : null
}
