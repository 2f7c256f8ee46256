import { z } from 'zod'
import type { Interval } from '#core/shared/interval.ts'
import type {
  CalendarAccess,
  ChangesPage,
  ChangesRequest,
  ExternalChange,
} from '#server/ports/external-calendar.ts'
import type { GraphClient } from './graph-client.ts'
import { toCalendarPath, toCalendarViewQuery } from './graph-client.ts'
import { buildGraphError } from './graph-errors.ts'
import { type GraphEvent, parseEvent } from './graph-event.ts'
import { mapInBatches } from './map-in-batches.ts'
import { readPages } from './read-pages.ts'
import { refetchChange } from './refetch-change.ts'
import { toExternalEvent, toSeriesEvent } from './to-external-event.ts'

/**
 * Maximum number of events per page. Events include their texts, so Graph takes longer than our time limit for larger
 * pages.
 */
const PAGE_SIZE = 200

/**
 * Maximum number of events that a sync fetches individually. No calendar changes as many between two syncs; further
 * events are used as sent.
 */
const MAX_LOOKED_AT = 200

type Series = { master: GraphEvent | null; readonly parts: GraphEvent[] }

/**
 * Yields the changes since the cursor, or everything in the window. All pages use one window, because Graph binds a
 * cursor to it; every full sync starts a new one. Source: rule G15;
 * https://learn.microsoft.com/graph/delta-query-events
 */
export async function* readChanges(
  client: GraphClient,
  access: CalendarAccess,
  { calendar, cursor, window: asked, signal }: ChangesRequest,
): AsyncIterable<ChangesPage> {
  const since = cursor === null ? null : readCursor(cursor)
  const window: Interval = since?.window ?? asked
  const frame = { timeZone: calendar.timeZone, window }
  const series = new Map<string, Series>()
  const removed = new Set<string>()
  let deltaLink: string | null = null

  const first =
    since === null
      ? {
          at: `${toCalendarPath(calendar.externalId)}/calendarView/delta`,
          query: toCalendarViewQuery(window),
        }
      : { at: since.link }
  const pages = readPages((nextLink) =>
    client.call(access, {
      ...(nextLink === undefined ? first : { at: nextLink }),
      pageSize: PAGE_SIZE,
      hasCursor: since !== null,
      ...(signal && { signal }),
    }),
  )
  for await (const page of pages) {
    const events = page.items.flatMap((sent) => parseEvent(sent) ?? [])
    const single: ExternalChange[] = []
    for (const event of events) {
      if (event['@removed'] !== undefined) removed.add(event.id)
      else if (!isOfSeries(event)) single.push(toChange(event, frame))
      else gather(series, event)
    }
    yield { changes: single, cursor: null }
    deltaLink = page.deltaLink
  }

  const whole = [...series].flatMap(([, { master, parts }]) =>
    master === null ? [] : { eventId: master.id, event: toSeriesEvent({ master, parts }, frame) },
  )
  const unclear = [
    // Series of which Graph sent only occurrences, but not the series itself.
    ...[...series].flatMap(([id, { master }]) => (master === null ? [id] : [])),
    // A full sync has no earlier state, so nothing can have been removed.
    ...(since === null ? [] : removed),
  ]
  const place = { externalId: calendar.externalId, frame }
  const looked = await mapInBatches(unclear.slice(0, MAX_LOOKED_AT), (id) =>
    refetchChange(client, access, place, id),
  )
  yield {
    changes: [...whole, ...looked, ...unclear.slice(MAX_LOOKED_AT).map(takeAsSent)],
    cursor: writeCursor(deltaLink, window),
  }

  /**
   * Converts an event as Graph sent it, without fetching it.
   * @throws CalendarProviderError for a series, because Graph sent too little about it
   */
  function takeAsSent(eventId: string): ExternalChange {
    if (series.has(eventId)) throw buildGraphError('refused', 'more series than a calendar can have')
    return { eventId, event: null }
  }
}

function isOfSeries({ type, seriesMasterId }: GraphEvent): boolean {
  return type === 'seriesMaster' || (seriesMasterId !== null && seriesMasterId !== undefined)
}

function gather(all: Map<string, Series>, event: GraphEvent): void {
  const id = event.seriesMasterId ?? event.id
  const known = all.get(id) ?? { master: null, parts: [] }
  all.set(id, known)
  if (event.type === 'seriesMaster') known.master = event
  else known.parts.push(event)
}

function toChange(event: GraphEvent, frame: Parameters<typeof toExternalEvent>[1]): ExternalChange {
  return { eventId: event.id, event: event.isCancelled === true ? null : toExternalEvent(event, frame) }
}

/** The cursor of a sync: Graph's delta URL, and the window of the full sync. Graph binds the URL to that window. */
const cursor = z.object({
  link: z.string().min(1).max(16_384),
  window: z.object({ startMs: z.number(), endMs: z.number() }),
})

/** @throws CalendarProviderError `unavailable` when Graph returned no URL, or one that is too long to store */
function writeCursor(link: string | null, { startMs, endMs }: Interval): string {
  const { data } = cursor.safeParse({ link, window: { startMs, endMs } })
  if (data === undefined) throw buildGraphError('unavailable', 'no address for the next sync')
  return JSON.stringify(data)
}

/** @throws CalendarProviderError `cursor_lost` when the cursor was not written by `writeCursor` */
function readCursor(text: string): z.infer<typeof cursor> {
  try {
    return cursor.parse(JSON.parse(text))
  } catch {
    throw buildGraphError('cursor_lost', 'a cursor that cannot be read')
  }
}
