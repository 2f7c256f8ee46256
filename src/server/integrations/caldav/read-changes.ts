import { z } from 'zod'
import type { Interval } from '#core/shared/interval.ts'
import { OwnerUrlError } from '#server/platform/http/owner-url-error.ts'
import {
  CalendarProviderError,
  CalendarTooLargeError,
  type ChangesPage,
  type ChangesRequest,
} from '#server/ports/external-calendar.ts'
import {
  type DavConnection,
  fetchChangesSince,
  fetchObjectChanges,
  getCalendarState,
  listChangedObjectUrls,
} from './dav-requests.ts'
import type { ObjectReadSettings } from './read-object.ts'

/** Number of objects per request. It is halved when they do not fit into one response. */
const OBJECTS_AT_ONCE = 100
/** Maximum number of responses per sync. The sync fails when a server sends more. */
const MAX_PARTS = 1_000
/** Maximum number of changes per sync: ten times the events of a typical calendar. */
const MOST_CHANGES = 200_000

const cursorSchema = z.object({
  format: z.literal(2),
  startMs: z.number(),
  endMs: z.number(),
  /** The sync token, for servers that support it (RFC 6578). */
  token: z.string().optional(),
  /**
   * For servers without sync tokens: the known events, and the ctag (version of the calendar) at the last sync. An
   * unchanged ctag means that nothing must be compared.
   */
  ctag: z.string().nullable().optional(),
  known: z.string().optional(),
})

type Since = { readonly token: string } | { readonly ctag: string | null; readonly known: string }
type Changed = {
  readonly changed: readonly string[]
  readonly gone: readonly string[]
  readonly since: Since
}

/** Yields the changes in a calendar since the cursor, or everything in the window. @throws CalendarProviderError */
export async function* readDavChanges(
  dav: DavConnection,
  { calendar, cursor, window }: ChangesRequest,
  settings: Omit<ObjectReadSettings, 'window'>,
): AsyncGenerator<ChangesPage> {
  const url = calendar.externalId
  const before = cursor === null ? null : toCursor(cursor)
  const during = before?.window ?? window
  const { changed, gone, since } =
    before === null ? await startAnew(dav, url, during) : await readSince(dav, url, during, before.since)
  yield { changes: gone.map((eventId) => ({ eventId, event: null })), cursor: null }
  let atOnce = OBJECTS_AT_ONCE
  for (let index = 0; index < changed.length; ) {
    const wanted = changed.slice(index, index + atOnce)
    const pages = await fetchObjectChanges(dav, url, {
      wanted,
      settings: { ...settings, window: during },
    }).catch((error: unknown) => toNothing(error, wanted))
    // The number is halved at most seven times per sync.
    if (pages === null) atOnce = Math.ceil(wanted.length / 2)
    else index += wanted.length
    for (const changes of pages ?? [[]]) yield { changes, cursor: null }
  }
  yield { changes: [], cursor: toText(since, during) }
}

/**
 * Returns null when a response about several objects was too large, so that the caller retries with fewer.
 * @throws CalendarProviderError
 */
function toNothing(error: unknown, wanted: readonly string[]): null {
  const isLarge =
    error instanceof CalendarTooLargeError &&
    error.cause instanceof OwnerUrlError &&
    error.cause.problem === 'too_large'
  if (isLarge && wanted.length > 1) return null
  throw error
}

/**
 * Starts a full read. Fetches the sync state before the events: a change made in between is then read twice, rather
 * than never.
 */
async function startAnew(dav: DavConnection, url: string, during: Interval): Promise<Changed> {
  const { syncToken, ctag } = await getCalendarState(dav, url)
  const isCompared = syncToken === null
  const { urls, known } = await listChangedObjectUrls(dav, url, { during, known: null, isCompared })
  return {
    changed: urls,
    gone: [],
    since: syncToken === null ? { ctag, known: known ?? '' } : { token: syncToken },
  }
}

function readSince(dav: DavConnection, url: string, during: Interval, since: Since): Promise<Changed> {
  return 'token' in since ? readSinceToken(dav, url, since.token) : compare(dav, url, during, since)
}

async function readSinceToken(dav: DavConnection, url: string, from: string): Promise<Changed> {
  const state = new Map<string, 'changed' | 'gone'>()
  let token = from
  for (let parts = 0; parts < MAX_PARTS; parts += 1) {
    const answer = await fetchChangesSince(dav, url, token)
    for (const one of answer.changed) state.set(one, 'changed')
    for (const one of answer.gone) state.set(one, 'gone')
    if (state.size > MOST_CHANGES)
      throw new CalendarTooLargeError('refused', 'The calendar has more events than can be read.')
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

/** Finds the changes on a server without sync tokens by comparing etags. */
async function compare(
  dav: DavConnection,
  url: string,
  during: Interval,
  before: { readonly ctag: string | null; readonly known: string },
): Promise<Changed> {
  const { ctag } = await getCalendarState(dav, url)
  if (ctag !== null && ctag === before.ctag) return { changed: [], gone: [], since: before }
  const { urls, known } = await listChangedObjectUrls(dav, url, {
    during,
    known: before.known,
    isCompared: true,
  })
  return { changed: urls, gone: [], since: { ctag, known: known ?? '' } }
}

function toText(since: Since, { startMs, endMs }: Interval): string {
  return JSON.stringify({ format: 2, startMs, endMs, ...since })
}

function toCursor(text: string): { readonly window: Interval; readonly since: Since } {
  try {
    const { startMs, endMs, token, ctag = null, known = '' } = cursorSchema.parse(JSON.parse(text))
    return { window: { startMs, endMs }, since: token === undefined ? { ctag, known } : { token } }
  } catch (error) {
    throw new CalendarProviderError('cursor_lost', 'The cursor cannot be read.', { cause: error })
  }
}
