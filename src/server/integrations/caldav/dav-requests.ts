import type { Interval } from '#core/shared/interval.ts'
import { toResponseError } from '#server/integrations/icalendar/response-errors.ts'
import { getOnlyPart, type ParseJob, type RunParser } from '#server/integrations/reading/parser-table.ts'
import {
  type BusyTime,
  CalendarProviderError,
  type ExternalChange,
  type ListedCalendar,
  ResponseTooLargeError,
  type StoredBusyTime,
} from '#server/ports/external-calendar.ts'
import { type DavFetch, readErrorExcerpt } from './dav-fetch.ts'
import type { CALDAV_PARSERS, CalendarState, ObjectListing, Principal } from './parsers.ts'
import type { ObjectReadSettings } from './read-object.ts'

/** Access to one account: sends requests and parses the responses. */
export type DavConnection = {
  readonly fetch: DavFetch
  readonly read: RunParser<typeof CALDAV_PARSERS>
  readonly order: ParseJob
}

/** Changes since a sync token: existing objects, deleted objects, and the next token. */
type SyncAnswer = {
  readonly changed: readonly string[]
  readonly gone: readonly string[]
  readonly token: string
  readonly hasMore: boolean
}

const PRINCIPAL = '<d:current-user-principal/><c:calendar-home-set/><c:calendar-user-address-set/>'
const CALENDAR = [
  '<d:displayname/><d:resourcetype/><d:current-user-privilege-set/><ca:calendar-color/>',
  '<c:calendar-timezone/><c:calendar-timezone-id/><c:supported-calendar-component-set/>',
].join('')
const STATE = '<d:sync-token/><cs:getctag/>'
const ETAG_ONLY = '<d:getetag/>'
const WITH_CONTENT = '<d:getetag/><c:calendar-data/>'

/** Statuses by which servers reject an unknown sync token, besides 403 with `valid-sync-token`. */
const TOKEN_REFUSALS = new Set([400, 409, 410, 412])

/** Finds the account's principal in the properties of the resource at `url`. @throws CalendarProviderError */
export async function findPrincipal({ fetch, read, order }: DavConnection, url: string): Promise<Principal> {
  const content = await toContent(await propfind(fetch, url, '0', PRINCIPAL))
  return getOnlyPart(await read('principal', { content, url }, order))
}

/** Lists the account's calendars that contain events. @throws CalendarProviderError */
export async function listDavCalendars(
  { fetch, read, order }: DavConnection,
  homeUrl: string,
): Promise<ListedCalendar[]> {
  const content = await toContent(await propfind(fetch, homeUrl, '1', CALENDAR))
  return getOnlyPart(await read('calendars', { content, url: homeUrl }, order))
}

/** @throws CalendarProviderError */
export async function getCalendarState(
  { fetch, read, order }: DavConnection,
  url: string,
): Promise<CalendarState> {
  const content = await toContent(await propfind(fetch, url, '0', STATE))
  const state = getOnlyPart(await read('state', { content, url }, order))
  if (state === null) throw new CalendarProviderError('gone', 'The calendar is not there any more.')
  return state
}

/**
 * Returns the URLs of objects with an event in a time range that differ from the known ones. With `isCompared`, also
 * returns the data to store for the next comparison.
 * @throws CalendarProviderError
 */
export async function listChangedObjectUrls(
  { fetch, read, order }: DavConnection,
  url: string,
  {
    during,
    known,
    isCompared,
  }: { readonly during: Interval; readonly known: string | null; readonly isCompared: boolean },
): Promise<ObjectListing> {
  const content = await toContent(await query(fetch, url, ETAG_ONLY, toTimeFilter(during)))
  const parts = await read('listing', { content, url, known, isCompared }, order)
  return { urls: parts.flatMap(({ urls }) => urls), known: parts.at(-1)?.known ?? null }
}

/** Maximum number of objects that a check before a booking looks up individually. A sync looks up more. */
const MOST_LOOKED_AT = 100

/**
 * Returns the busy times of the objects with an event in a time range. Servers that ignore `RANGE=THISANDFUTURE`, or
 * interpret a zone differently, omit some objects, so objects of our stored copy that are missing are looked up by URL.
 * Source: rule G7.
 * @throws CalendarProviderError
 */
export async function readBusyTimes(
  { fetch, read, order }: DavConnection,
  url: string,
  {
    asked,
    copied,
    settings,
  }: {
    readonly asked: Interval
    readonly copied: readonly StoredBusyTime[]
    readonly settings: ObjectReadSettings
  },
): Promise<BusyTime[]> {
  const readAnswer = async (answer: Response, wanted: readonly string[]) => {
    const content = await toContent(answer)
    return getOnlyPart(await read('busyTimes', { content, url, wanted, settings }, order))
  }
  const keys = [...new Set(copied.map(({ eventKey }) => eventKey))]
  const found = await readAnswer(await query(fetch, url, WITH_CONTENT, toTimeFilter(asked)), keys)
  const left = [...found.missing, ...found.unread]
  const addresses = left.filter((key) => isWithin(key, url))
  if (addresses.length > MOST_LOOKED_AT)
    throw new ResponseTooLargeError('refused', 'The server leaves too many events out of its answer.')
  const looked =
    addresses.length === 0
      ? { busy: [], unread: [] }
      : await readAnswer(await multiget(fetch, url, addresses), addresses)
  // An event with a long URL has a hash as its key, so its URL is unknown and it cannot be looked up: keep its stored
  // times.
  const kept = new Set([...left.filter((key) => !isWithin(key, url)), ...looked.unread])
  return [...found.busy, ...looked.busy, ...toBusyTimes(copied, kept, url)]
}

function isWithin(key: string, url: string): boolean {
  return URL.canParse(key) && new URL(key).origin === new URL(url).origin
}

function toBusyTimes(copied: readonly StoredBusyTime[], kept: ReadonlySet<string>, url: string): BusyTime[] {
  return copied
    .filter(({ eventKey }) => kept.has(eventKey))
    .map(({ eventKey, startMs, endMs }) => ({
      ...{ externalId: url, eventId: eventKey, appointmentId: null },
      ...{ startMs, endMs },
    }))
}

/** Returns the URL of the event with this UID, or null. @throws CalendarProviderError */
export async function findEventUrlByUid(
  { fetch, read, order }: DavConnection,
  url: string,
  uid: string,
): Promise<string | null> {
  const match = `<c:prop-filter name="UID"><c:text-match collation="i;octet">${escapeXml(uid)}</c:text-match></c:prop-filter>`
  const content = await toContent(await query(fetch, url, ETAG_ONLY, toEventFilter(match)))
  const parts = await read('listing', { content, url, known: null, isCompared: false }, order)
  return parts.flatMap(({ urls }) => urls)[0] ?? null
}

/** Returns the current state of some objects; deleted ones are reported as such. @throws CalendarProviderError */
export async function fetchObjectChanges(
  { fetch, read, order }: DavConnection,
  url: string,
  { wanted, settings }: { readonly wanted: readonly string[]; readonly settings: ObjectReadSettings },
): Promise<ExternalChange[][]> {
  const answer = await multiget(fetch, url, wanted)
  return read('changes', { content: await toContent(answer), url, wanted, settings }, order)
}

/** @throws CalendarProviderError `cursor_lost` when the server no longer knows the token */
export async function fetchChangesSince(
  { fetch, read, order }: DavConnection,
  url: string,
  syncToken: string,
): Promise<SyncAnswer> {
  const body = `<d:sync-token>${escapeXml(syncToken)}</d:sync-token><d:sync-level>1</d:sync-level><d:prop>${ETAG_ONLY}</d:prop>`
  const answer = await ask(fetch, url, {
    method: 'REPORT',
    headers: {},
    body: toBody('d:sync-collection', body),
  })
  if (!answer.ok) {
    const isToken =
      TOKEN_REFUSALS.has(answer.status) || (await readErrorExcerpt(answer)).includes('valid-sync-token')
    if (isToken) throw new CalendarProviderError('cursor_lost', 'The server has forgotten where we were.')
  }
  const parts = await read('sync', { content: await toContent(answer), url }, order)
  const token = parts.at(-1)?.token ?? null
  if (token === null)
    throw new CalendarProviderError('cursor_lost', 'The server gave no place to go on from.')
  return {
    changed: parts.flatMap(({ changed }) => changed),
    gone: parts.flatMap(({ gone }) => gone),
    token,
    hasMore: parts.some(({ hasMore }) => hasMore),
  }
}

function propfind(fetch: DavFetch, url: string, depth: '0' | '1', props: string): Promise<Response> {
  return ask(fetch, url, {
    method: 'PROPFIND',
    headers: { depth },
    body: toBody('d:propfind', `<d:prop>${props}</d:prop>`),
  })
}

function query(fetch: DavFetch, url: string, props: string, filter: string): Promise<Response> {
  return report(fetch, url, 'calendar-query', `<d:prop>${props}</d:prop>${filter}`)
}

function multiget(fetch: DavFetch, url: string, objects: readonly string[]): Promise<Response> {
  const hrefs = objects.map((object) => `<d:href>${escapeXml(new URL(object).pathname)}</d:href>`).join('')
  return report(fetch, url, 'calendar-multiget', `<d:prop>${WITH_CONTENT}</d:prop>${hrefs}`)
}

function report(fetch: DavFetch, url: string, name: string, content: string): Promise<Response> {
  return ask(fetch, url, { method: 'REPORT', headers: { depth: '1' }, body: toBody(`c:${name}`, content) })
}

function ask(
  fetch: DavFetch,
  url: string,
  {
    headers,
    ...request
  }: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<Response> {
  return fetch(url, { ...request, headers: { ...headers, 'content-type': 'text/xml; charset=utf-8' } })
}

function toBody(name: string, content: string): string {
  const namespaces = [
    'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"',
    'xmlns:cs="http://calendarserver.org/ns/" xmlns:ca="http://apple.com/ns/ical/"',
  ].join(' ')
  return `<?xml version="1.0" encoding="utf-8"?>\n<${name} ${namespaces}>${content}</${name}>`
}

/** @throws CalendarProviderError */
async function toContent(answer: Response): Promise<Uint8Array> {
  if (!answer.ok) throw toResponseError(answer)
  return new Uint8Array(await answer.arrayBuffer())
}

function toTimeFilter({ startMs, endMs }: Interval): string {
  return toEventFilter(`<c:time-range start="${toBasic(startMs)}" end="${toBasic(endMs)}"/>`)
}

function toEventFilter(condition: string): string {
  const events = `<c:comp-filter name="VEVENT">${condition}</c:comp-filter>`
  return `<c:filter><c:comp-filter name="VCALENDAR">${events}</c:comp-filter></c:filter>`
}

/** Formats an instant as `20270105T090000Z`. */
function toBasic(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
