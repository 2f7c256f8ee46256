import { z } from 'zod'
import type { Interval } from '#core/shared/interval.ts'
import {
  CalendarProviderError,
  type ChangesPage,
  type ChangesRequest,
  type ExternalChange,
} from '#server/ports/external-calendar.ts'
import {
  type KnownEvents,
  MAX_KNOWN_EVENTS,
  packKnownEvents,
  toMark,
  unpackKnownEvents,
} from '../icalendar/known-events.ts'
import { buildTurns } from '../icalendar/take-turns.ts'
import type { DavFetch } from './dav-fetch.ts'
import { fetchObjects, getCalendarState, listEtags, syncSince } from './dav-requests.ts'
import { type ObjectSettings, readObject } from './read-object.ts'

/** Objects that are read with one request, and so the changes on a page. */
const OBJECTS_AT_ONCE = 100
/** Series have many; whoever takes the page stores them, or says that they are too many. */
const BUSY_TIMES_ON_A_PAGE = 20_000
/** Parts of one answer about changes; a server that never comes to an end is given up. */
const MAX_PARTS = 1_000

const cursorSchema = z.object({
  format: z.literal(1),
  startMs: z.number(),
  endMs: z.number(),
  /** Of a server that knows what changed (RFC 6578). */
  token: z.string().optional(),
  /** Of others: what there was, with the state in which nothing has to be compared. */
  ctag: z.string().nullable().optional(),
  known: z.string().optional(),
})

type Since = { readonly token: string } | { readonly ctag: string | null; readonly known: KnownEvents }
type Changed = {
  readonly changed: readonly string[]
  readonly gone: readonly string[]
  readonly since: Since
}

/** Says what changed in a calendar since the cursor, or everything in the window. @throws CalendarProviderError */
export async function* readDavChanges(
  fetch: DavFetch,
  { calendar, cursor, window, signal }: ChangesRequest,
  settings: Omit<ObjectSettings, 'window'>,
): AsyncGenerator<ChangesPage> {
  const url = calendar.externalId
  const before = cursor === null ? null : toCursor(cursor)
  const during = before?.window ?? window
  const { changed, gone, since } =
    before === null ? await startAnew(fetch, url, during) : await goOn(fetch, url, during, before.since)
  const takeTurns = buildTurns(signal)
  let changes: ExternalChange[] = gone.map((eventId) => ({ eventId, event: null }))
  for (let index = 0; index < changed.length; index += OBJECTS_AT_ONCE) {
    const urls = changed.slice(index, index + OBJECTS_AT_ONCE)
    const objects = await fetchObjects(fetch, url, urls)
    let busyTimes = 0
    for (const object of objects) {
      await takeTurns()
      const change = readObject(object, { ...settings, window: during })
      changes.push(change)
      busyTimes += change.event?.occurrences.length ?? 0
      if (busyTimes < BUSY_TIMES_ON_A_PAGE) continue
      yield { changes, cursor: null }
      changes = []
      busyTimes = 0
    }
    const found = new Set(objects.map((object) => object.url))
    for (const eventId of urls) if (!found.has(eventId)) changes.push({ eventId, event: null })
    yield { changes, cursor: null }
    changes = []
  }
  yield { changes, cursor: toText(since, during) }
}

/** The state is asked for before the events are: what changes in between is read twice rather than never. */
async function startAnew(fetch: DavFetch, url: string, during: Interval): Promise<Changed> {
  const { syncToken, ctag } = await getCalendarState(fetch, url)
  const etags = await listEtags(fetch, url, during)
  const since = syncToken === null ? { ctag, known: toKnown(etags) } : { token: syncToken }
  return { changed: [...etags.keys()], gone: [], since }
}

function goOn(fetch: DavFetch, url: string, during: Interval, since: Since): Promise<Changed> {
  return 'token' in since ? goOnFromToken(fetch, url, since.token) : compare(fetch, url, during, since)
}

async function goOnFromToken(fetch: DavFetch, url: string, from: string): Promise<Changed> {
  const state = new Map<string, 'changed' | 'gone'>()
  let token = from
  for (let parts = 0; parts < MAX_PARTS; parts += 1) {
    const answer = await syncSince(fetch, url, token)
    for (const one of answer.changed) state.set(one, 'changed')
    for (const one of answer.gone) state.set(one, 'gone')
    const isStuck = answer.hasMore && answer.token === token
    token = answer.token
    if (isStuck) break
    if (!answer.hasMore) {
      const list = (wanted: 'changed' | 'gone') =>
        [...state].flatMap(([one, is]) => (is === wanted ? [one] : []))
      return { changed: list('changed'), gone: list('gone'), since: { token } }
    }
  }
  throw new CalendarProviderError('cursor_lost', 'The changes of the server have no end.')
}

/** Of a server that does not know what changed: by the etags. */
async function compare(
  fetch: DavFetch,
  url: string,
  during: Interval,
  before: { readonly ctag: string | null; readonly known: KnownEvents },
): Promise<Changed> {
  const { ctag } = await getCalendarState(fetch, url)
  if (ctag !== null && ctag === before.ctag) return { changed: [], gone: [], since: before }
  const etags = await listEtags(fetch, url, during)
  const known = toKnown(etags)
  const changed = [...known.keys()].filter((one) => known.get(one) !== before.known.get(one))
  // Moved out of the window, or deleted: reading it tells which.
  const missing = [...before.known.keys()].filter((one) => !known.has(one))
  return { changed: [...changed, ...missing], gone: [], since: { ctag, known } }
}

function toKnown(etags: ReadonlyMap<string, string>): KnownEvents {
  if (etags.size > MAX_KNOWN_EVENTS) {
    throw new CalendarProviderError('refused', 'This calendar has more events than can be read.')
  }
  return new Map([...etags].map(([url, etag]) => [url, toMark(etag)]))
}

function toText(since: Since, { startMs, endMs }: Interval): string {
  const rest = 'token' in since ? since : { ctag: since.ctag, known: packKnownEvents(since.known) }
  return JSON.stringify({ format: 1, startMs, endMs, ...rest })
}

function toCursor(text: string): { readonly window: Interval; readonly since: Since } {
  try {
    const { startMs, endMs, token, ctag = null, known } = cursorSchema.parse(JSON.parse(text))
    const since = token === undefined ? { ctag, known: unpackKnownEvents(known ?? '') } : { token }
    return { window: { startMs, endMs }, since }
  } catch (error) {
    throw new CalendarProviderError('cursor_lost', 'The cursor cannot be read.', { cause: error })
  }
}
