import type { CalendarAccess, ExternalChange } from '#server/ports/external-calendar.ts'
import type { GraphClient } from './graph-client.ts'
import { toCalendarPath, toCalendarViewQuery, toEventPath } from './graph-client.ts'
import { hasErrorKind } from './graph-errors.ts'
import { EVENT_QUERY, type GraphEvent, parseEvent } from './graph-event.ts'
import { readPages } from './read-pages.ts'
import { type EventContext, toExternalEvent, toSeriesEvent } from './to-external-event.ts'

type Place = { readonly externalId: string; readonly frame: EventContext }

/**
 * Fetches the current state of an event. View changes look the same for an event that was deleted and for one that was
 * changed outside the window, but only the deleted event no longer exists. Source:
 * https://learn.microsoft.com/graph/api/event-delta#response
 */
export async function refetchChange(
  client: GraphClient,
  access: CalendarAccess,
  { externalId, frame }: Place,
  eventId: string,
): Promise<ExternalChange> {
  const event = await findGraphEvent(client, access, { externalId, eventId })
  if (event === null || event.isCancelled === true) return { eventId, event: null }
  // An occurrence is stored under its series, so fetch the series.
  if (event.seriesMasterId) return refetchChange(client, access, { externalId, frame }, event.seriesMasterId)
  if (event.type !== 'seriesMaster') return { eventId, event: toExternalEvent(event, frame) }
  const parts = await listInstances(client, access, { externalId, frame }, eventId)
  return { eventId, event: toSeriesEvent({ master: event, parts }, frame) }
}

/** Fetches an event; null when the calendar does not contain it. */
export async function findGraphEvent(
  client: GraphClient,
  access: CalendarAccess,
  { externalId, eventId }: { readonly externalId: string; readonly eventId: string },
): Promise<GraphEvent | null> {
  try {
    return parseEvent(
      await client.call(access, { at: toEventPath(externalId, eventId), query: { ...EVENT_QUERY } }),
    )
  } catch (error) {
    if (!hasErrorKind(error, 'gone')) throw error
    // This call throws if the calendar itself is gone. Then the missing event says nothing.
    await client.call(access, { at: toCalendarPath(externalId), query: { $select: 'id' } })
    return null
  }
}

const PAGE_SIZE = '500'

async function listInstances(
  client: GraphClient,
  access: CalendarAccess,
  { externalId, frame }: Place,
  eventId: string,
): Promise<GraphEvent[]> {
  if (frame.window === null) return []
  const at = `${toEventPath(externalId, eventId)}/instances`
  const query = { ...toCalendarViewQuery(frame.window), ...EVENT_QUERY, $top: PAGE_SIZE }
  const pages = readPages((nextLink) =>
    client.call(access, nextLink === undefined ? { at, query } : { at: nextLink }),
  )
  const parts: GraphEvent[] = []
  for await (const { items } of pages) parts.push(...items.flatMap((sent) => parseEvent(sent) ?? []))
  return parts
}
