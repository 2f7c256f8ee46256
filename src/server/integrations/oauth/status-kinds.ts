import type { CalendarErrorKind } from '#server/ports/external-calendar.ts'

/** Nothing of ours leads to an address that the owner typed. */
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

/** 410 for a cursor that is too old, 400 for one that the provider cannot read: it would never read it. */
const LOST = new Set([400, 410])

/** What a provider says when it does not take the content of an event: 400, and 413 for too much of it. */
const NOT_TAKEN = new Set([400, 413])

/** What was asked when a refusal came. */
export type Question = { readonly hasCursor: boolean; readonly isWrite: boolean }

/** What a status of the API of a provider says in the words of the port, where the answer says nothing closer. */
export function kindOfStatus(status: number): ApiErrorKind {
  return status >= 500 ? 'unavailable' : (KINDS[status] ?? 'refused')
}

/** What a status says to some questions only; null: what it says to all. */
export function findSpecificKind(status: number, { hasCursor, isWrite }: Question): ApiErrorKind | null {
  if (hasCursor && LOST.has(status)) return 'cursor_lost'
  return isWrite && NOT_TAKEN.has(status) ? 'event_refused' : null
}
