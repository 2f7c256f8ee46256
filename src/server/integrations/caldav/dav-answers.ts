import type { DAVResponse } from 'tsdav'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { toAnswerError } from '../icalendar/answer-errors.ts'

/**
 * The parts of a multi-status answer that are about something. tsdav does not throw: a refusal, or a web page, is its only part.
 * @throws CalendarProviderError
 */
export function toParts(answers: readonly DAVResponse[]): (DAVResponse & { readonly href: string })[] {
  const [first] = answers
  if (first === undefined || first.raw?.multistatus === undefined) {
    if (first !== undefined && !first.ok)
      throw toAnswerError({ status: first.status, headers: new Headers() })
    throw new CalendarProviderError('unavailable', 'This is no answer of a calendar server.')
  }
  return answers.filter((part): part is DAVResponse & { href: string } => typeof part.href === 'string')
}

/** The text of an element. tsdav makes numbers of texts that look like one, and leaves CDATA apart. */
export function toText(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null) return null
  if ('_cdata' in value) return toText(value._cdata)
  return '_text' in value ? toText(value._text) : null
}

/** Names of the elements in an element, as tsdav writes them: `sync-collection` is `syncCollection`. */
export function listElements(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** An element that may occur once, often or never. */
export function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
