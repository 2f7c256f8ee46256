import {
  hashContent,
  type KnownEventHashes,
  MAX_KNOWN_EVENTS,
  packEventHashes,
  unpackEventHashes,
} from '#server/integrations/icalendar/known-events.ts'
import type { ParserTable } from '#server/integrations/reading/parser-table.ts'
import { truncateLongTexts } from '#server/integrations/reading/truncate-long-texts.ts'
import {
  type BusyTime,
  CalendarProviderError,
  CalendarTooLargeError,
  type ExternalChange,
  type ExternalEvent,
  type ListedCalendar,
  MAX_BUSY_TIMES,
  ResponseTooLargeError,
} from '#server/ports/external-calendar.ts'
import { type AppointmentToWrite, type UpdatedObject, updateAppointmentObject } from './appointment-object.ts'
import { toListedCalendars } from './list-calendars.ts'
import { type DavResource, findElementText, readParts, readResources, toAbsoluteUrl } from './multistatus.ts'
import { type DavObject, type ObjectReadSettings, toCalendarObjectChange } from './read-object.ts'

/** A server's answer to a request for `url`. */
type Answer = { readonly content: Uint8Array; readonly url: string }

/** State of a calendar. Servers without sync tokens (RFC 6578) usually have a ctag. */
export type CalendarState = { readonly syncToken: string | null; readonly ctag: string | null }

/** The properties of a resource that describe the account's principal. */
export type Principal = {
  readonly principalUrl: string | null
  readonly homeUrl: string | null
  /** The owner's addresses as the server writes them, usually with `mailto:`. */
  readonly addresses: readonly string[]
}

/** The URLs of objects to read. The last part also has the data to store for the next comparison. */
export type ObjectListing = { readonly urls: readonly string[]; readonly known: string | null }

/** Changes since a sync token. The last part has the next token. */
export type SyncChanges = {
  readonly changed: readonly string[]
  readonly gone: readonly string[]
  readonly token: string | null
  readonly hasMore: boolean
}

/** The busy times in a response to a check before a booking. */
export type BusyTimesResponse = {
  readonly busy: readonly BusyTime[]
  /** Requested objects that the response does not mention. */
  readonly missing: readonly string[]
  /** Requested objects that the response mentions without content, although it does not report them as deleted. */
  readonly unread: readonly string[]
}

/** Maximum number of URLs sent between processes at once: handling that many takes a few milliseconds. */
const ADDRESSES_AT_ONCE = 5_000
const BUSY_TIMES_AT_ONCE = 5_000
const MOST_ADDRESSES_OF_OWNER = 100

/** Parsers for the responses of CalDAV servers; they run in a separate process. */
export const CALDAV_PARSERS = {
  *principal({ content, url }: Answer): Iterable<Principal> {
    const [part] = readResources(content, url)
    const hrefsOf = (name: string) =>
      (part?.isOk ? (part.properties.get(name)?.children ?? []) : [])
        .filter((child) => child.name === 'href')
        .flatMap((child) => findElementText(child) ?? [])
    const firstUrl = (name: string) => hrefsOf(name).map((href) => toAbsoluteUrl(href, url))[0] ?? null
    yield {
      principalUrl: firstUrl('current-user-principal'),
      homeUrl: firstUrl('calendar-home-set'),
      addresses: hrefsOf('calendar-user-address-set').slice(0, MOST_ADDRESSES_OF_OWNER),
    }
  },

  *calendars({ content, url }: Answer): Iterable<ListedCalendar[]> {
    yield toListedCalendars(readResources(content, url))
  },

  *state({ content, url }: Answer): Iterable<CalendarState | null> {
    const [part] = readResources(content, url)
    yield part === undefined || !part.isOk
      ? null
      : {
          syncToken: findElementText(part.properties.get('sync-token')),
          ctag: findElementText(part.properties.get('getctag')),
        }
  },

  /**
   * Lists the objects that differ from the `known` ones, or all when nothing was known. With `isCompared`, also returns
   * the listing for the next comparison.
   */
  *listing({
    content,
    url,
    known,
    isCompared,
  }: Answer & { readonly known: string | null; readonly isCompared: boolean }): Iterable<ObjectListing> {
    const before = known === null ? new Map<string, string>() : unpack(known)
    const now = new Map<string, string>()
    for (const part of readWhole(content, url))
      if (part.isOk) now.set(part.url, hashContent(etagOf(part) ?? ''))
    if (isCompared && now.size > MAX_KNOWN_EVENTS) {
      throw new CalendarTooLargeError('refused', 'The calendar has more events than can be read.')
    }
    const changed = [...now.keys()].filter((one) => now.get(one) !== before.get(one))
    // These objects were deleted or moved out of the window; reading each object shows which.
    const missing = [...before.keys()].filter((one) => !now.has(one))
    for (const urls of toBatches([...changed, ...missing])) yield { urls, known: null }
    yield { urls: [], known: isCompared ? packEventHashes(now) : null }
  },

  *sync({ content, url }: Answer): Iterable<SyncChanges> {
    let token: string | null = null
    let hasMore = false
    const changed: string[] = []
    const gone: string[] = []
    for (const part of readParts(content, url)) {
      if ('syncToken' in part) token = part.syncToken
      else if (part.status === 507) hasMore = true
      else if (isSamePlace(part.url, url)) continue
      else if (part.isOk) changed.push(part.url)
      else if (isGone(part)) gone.push(part.url)
    }
    for (const batch of toBatches(changed)) yield { changed: batch, gone: [], token: null, hasMore }
    for (const batch of toBatches(gone)) yield { changed: [], gone: batch, token: null, hasMore }
    yield { changed: [], gone: [], token, hasMore }
  },

  /** Returns the state of the `wanted` objects; those missing in the response were deleted. */
  *changes({
    content,
    url,
    wanted,
    settings,
  }: Answer & { readonly wanted: readonly string[]; readonly settings: ObjectReadSettings }): Iterable<
    ExternalChange[]
  > {
    const found = new Set<string>()
    let changes: ExternalChange[] = []
    let busyTimes = 0
    for (const object of readObjects(content, url)) {
      found.add(object.url)
      const change = toCalendarObjectChange(object, settings)
      changes.push(change)
      busyTimes += change.event?.occurrences.length ?? 0
      if (busyTimes < BUSY_TIMES_AT_ONCE) continue
      yield changes
      changes = []
      busyTimes = 0
    }
    yield [...changes, ...wanted.flatMap((eventId) => (found.has(eventId) ? [] : [{ eventId, event: null }]))]
  },

  /**
   * Returns the busy times in a response. `wanted` are objects of our stored copy; their times stay busy unless the
   * response shows that they are free.
   */
  *busyTimes({
    content,
    url,
    wanted,
    settings,
  }: Answer & {
    readonly wanted: readonly string[]
    readonly settings: ObjectReadSettings
  }): Iterable<BusyTimesResponse> {
    const busy: BusyTime[] = []
    const named = new Map<string, 'read' | 'gone' | 'unread'>()
    for (const part of readWhole(content, url)) {
      const object = toObject(part)
      named.set(toPlace(part.url), object === null ? (isGone(part) ? 'gone' : 'unread') : 'read')
      if (object === null) continue
      const { eventId, event } = toCalendarObjectChange(object, settings)
      const said = { externalId: url, eventId, appointmentId: event?.appointmentId ?? null }
      for (const { startMs, endMs } of event?.occurrences ?? []) busy.push({ ...said, startMs, endMs })
      if (busy.length > MAX_BUSY_TIMES) {
        throw new ResponseTooLargeError('refused', 'The answer of the server is too large.')
      }
    }
    yield {
      busy,
      missing: wanted.filter((one) => !named.has(toPlace(one))),
      unread: wanted.filter((one) => named.get(toPlace(one)) === 'unread'),
    }
  },

  *event({
    content,
    url,
    etag,
    settings,
  }: Answer & {
    readonly etag: string | null
    readonly settings: ObjectReadSettings
  }): Iterable<ExternalEvent | null> {
    yield toCalendarObjectChange({ url, etag, text: decode(content) }, settings).event
  },

  *updatedObject({
    content,
    appointment,
    ownerAddresses,
  }: Pick<Answer, 'content'> & {
    readonly appointment: AppointmentToWrite
    readonly ownerAddresses: ReadonlySet<string>
  }): Iterable<UpdatedObject> {
    yield updateAppointmentObject(decode(content), appointment, ownerAddresses)
  },
} satisfies ParserTable

/** @throws CalendarProviderError */
function* readObjects(content: Uint8Array, url: string): Generator<DavObject> {
  for (const part of readWhole(content, url)) {
    if (part.status >= 500)
      throw new CalendarProviderError('unavailable', 'The server does not give one of the events.')
    const object = toObject(part)
    if (object !== null) yield object
  }
}

/**
 * Yields the parts of a complete response. A server that truncates a response reports 507; the missing objects would
 * look deleted. Source: RFC 4791 §7.8; RFC 6578 §3.6.
 * @throws CalendarTooLargeError
 */
function* readWhole(content: Uint8Array, url: string): Generator<DavResource> {
  for (const part of readResources(content, url)) {
    if (part.status === 507)
      throw new CalendarTooLargeError('refused', 'The server lists only a part of the events.')
    yield part
  }
}

/** Returns null when the response has no content for the object. */
function toObject(part: DavResource): DavObject | null {
  const text = findElementText(part.properties.get('calendar-data'))
  return part.isOk && text !== null
    ? { url: part.url, etag: etagOf(part), text: truncateLongTexts(text) }
    : null
}

function isGone({ status }: DavResource): boolean {
  return status === 404 || status === 410
}

/** Normalises a URL for comparison: servers escape letters in one response and not in another. */
function toPlace(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

function etagOf({ properties }: DavResource): string | null {
  return findElementText(properties.get('getetag'))
}

function decode(content: Uint8Array): string {
  return truncateLongTexts(new TextDecoder().decode(content))
}

/** @throws CalendarProviderError `cursor_lost` */
function unpack(known: string): KnownEventHashes {
  try {
    return unpackEventHashes(known)
  } catch (error) {
    throw new CalendarProviderError('cursor_lost', 'The cursor cannot be read.', { cause: error })
  }
}

function toBatches(urls: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(urls.length / ADDRESSES_AT_ONCE) }, (_, index) =>
    urls.slice(index * ADDRESSES_AT_ONCE, (index + 1) * ADDRESSES_AT_ONCE),
  )
}

function isSamePlace(a: string, b: string): boolean {
  return a.replace(/\/$/, '') === b.replace(/\/$/, '')
}
