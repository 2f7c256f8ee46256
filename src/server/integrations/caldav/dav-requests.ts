import { davRequest, propfind, syncCollection } from 'tsdav'
import type { Interval } from '#core/shared/interval.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { toAnswerError } from '../icalendar/answer-errors.ts'
import { toParts, toText } from './dav-answers.ts'
import type { DavFetch } from './dav-fetch.ts'

/** A file of a calendar: an event, or a series with its exceptions. */
export type DavObject = { readonly url: string; readonly etag: string | null; readonly text: string }

/** What a server says about the state of a calendar. Servers that do not know sync tokens (RFC 6578) mostly know a ctag. */
export type CalendarState = { readonly syncToken: string | null; readonly ctag: string | null }

/** What changed since a token: the objects that are there, those that are gone, and the next token. */
export type SyncAnswer = {
  readonly changed: readonly string[]
  readonly gone: readonly string[]
  readonly token: string
  readonly hasMore: boolean
}

const NAMESPACES = { 'xmlns:c': 'urn:ietf:params:xml:ns:caldav', 'xmlns:d': 'DAV:' }
const ETAG_ONLY = { 'd:getetag': {} }
const WITH_CONTENT = { 'd:getetag': {}, 'c:calendar-data': {} }

/** Servers answer an unknown token with 403 and `valid-sync-token`, and some with one of these. */
const TOKEN_REFUSALS = new Set([400, 409, 410, 412])

/** @throws CalendarProviderError */
export async function getCalendarState(fetch: DavFetch, url: string): Promise<CalendarState> {
  const props = { 'd:sync-token': {}, 'cs:getctag': {} }
  const [part] = toParts(await propfind({ url, props, depth: '0', fetch }))
  if (part?.props === undefined)
    throw new CalendarProviderError('gone', 'The calendar is not there any more.')
  return { syncToken: toText(part.props.syncToken), ctag: toText(part.props.getctag) }
}

/** The etags of the objects with an event in a stretch of time, by address. @throws CalendarProviderError */
export async function listEtags(
  fetch: DavFetch,
  url: string,
  during: Interval,
): Promise<Map<string, string>> {
  const parts = await query(fetch, url, ETAG_ONLY, toTimeFilter(during))
  return new Map(
    parts.flatMap(({ href, ok, props }) =>
      ok ? [[new URL(href, url).href, toText(props?.getetag) ?? '']] : [],
    ),
  )
}

/** The objects with an event in a stretch of time. @throws CalendarProviderError */
export async function listObjects(fetch: DavFetch, url: string, during: Interval): Promise<DavObject[]> {
  return toObjects(await query(fetch, url, WITH_CONTENT, toTimeFilter(during)), url)
}

/** Where an event with this UID is; null when there is none. @throws CalendarProviderError */
export async function findByUid(fetch: DavFetch, url: string, uid: string): Promise<string | null> {
  const match = { 'text-match': { _attributes: { collation: 'i;octet' }, _text: uid } }
  const filters = toEventFilter({ 'prop-filter': { _attributes: { name: 'UID' }, ...match } })
  const [found] = (await query(fetch, url, ETAG_ONLY, filters)).filter(({ ok }) => ok)
  return found === undefined ? null : new URL(found.href, url).href
}

/** Reads some objects; those that are gone by now are not among the answers. @throws CalendarProviderError */
export async function fetchObjects(
  fetch: DavFetch,
  url: string,
  urls: readonly string[],
): Promise<DavObject[]> {
  const hrefs = urls.map((object) => new URL(object).pathname)
  const body = { 'calendar-multiget': { _attributes: NAMESPACES, 'd:prop': WITH_CONTENT, 'd:href': hrefs } }
  return toObjects(await report(fetch, url, body), url)
}

/** @throws CalendarProviderError `cursor_lost` when the server does not know the token any more */
export async function syncSince(fetch: DavFetch, url: string, syncToken: string): Promise<SyncAnswer> {
  const answers = await syncCollection({ url, props: { 'd:getetag': {} }, syncLevel: 1, syncToken, fetch })
  const [first] = answers
  // tsdav gives a refused token as an ordinary answer.
  if (first !== undefined && first.raw?.multistatus === undefined && !first.ok) {
    const isToken = TOKEN_REFUSALS.has(first.status) || String(first.raw).includes('valid-sync-token')
    if (isToken) throw new CalendarProviderError('cursor_lost', 'The server has forgotten where we were.')
    throw toAnswerError({ status: first.status, headers: new Headers() })
  }
  const parts = toParts(answers).map((part) => ({ ...part, url: new URL(part.href, url).href }))
  const objects = parts.filter((part) => !isSamePlace(part.url, url))
  const token = toText(first?.raw?.multistatus?.syncToken)
  if (token === null)
    throw new CalendarProviderError('cursor_lost', 'The server gave no place to go on from.')
  return {
    changed: objects.filter(({ ok }) => ok).map((part) => part.url),
    gone: objects.filter(({ status }) => status === 404 || status === 410).map((part) => part.url),
    token,
    hasMore: parts.some(({ status }) => status === 507),
  }
}

async function query(fetch: DavFetch, url: string, props: object, filter: object) {
  return report(fetch, url, { 'calendar-query': { _attributes: NAMESPACES, 'd:prop': props, filter } })
}

/** tsdav's own functions for these take a page for an empty calendar, and one missing event for a failure of all. */
async function report(fetch: DavFetch, url: string, body: object) {
  const init = { method: 'REPORT', headers: { depth: '1' }, namespace: 'c', body } as const
  return toParts(await davRequest({ url, init, fetch }))
}

function toObjects(parts: ReturnType<typeof toParts>, base: string): DavObject[] {
  return parts.flatMap(({ href, ok, props }) => {
    const text = toText(props?.calendarData)
    return ok && text !== null ? [{ url: new URL(href, base).href, etag: toText(props?.getetag), text }] : []
  })
}

function toTimeFilter({ startMs, endMs }: Interval) {
  return toEventFilter({ 'time-range': { _attributes: { start: toBasic(startMs), end: toBasic(endMs) } } })
}

function toEventFilter(condition: object) {
  return {
    'comp-filter': {
      _attributes: { name: 'VCALENDAR' },
      'comp-filter': { _attributes: { name: 'VEVENT' }, ...condition },
    },
  }
}

/** `20270105T090000Z`. */
function toBasic(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function isSamePlace(a: string, b: string): boolean {
  return a.replace(/\/$/, '') === b.replace(/\/$/, '')
}
