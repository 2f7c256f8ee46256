import { z } from 'zod'
import type { Interval } from '#core/shared/interval.ts'
import type { SandboxFaults } from '#sandbox/calendars/account.ts'
import type { SandboxCalendar } from '#sandbox/calendars/calendar.ts'
import { epochMsOf, type SandboxEvent } from '#sandbox/calendars/event.ts'
import { decodeToken, encodeToken, isWithin, listAllEvents } from '#sandbox/calendars/list-events.ts'
import type { CalendarSandboxContext } from '#sandbox/calendars/world.ts'
import {
  type GraphEventResource,
  toEventResource,
  toMinimalOccurrence,
  toSeriesMasterResource,
} from './event-resource.ts'
import { expiredDeltaTokenError, invalidRequestError, unsupportedForDeltaError } from './graph-fault.ts'

/** Source: https://learn.microsoft.com/graph/api/calendar-list-calendarview */
const range = z.object({
  startDateTime: z.iso.datetime({ offset: true }),
  endDateTime: z.iso.datetime({ offset: true }),
})
const paging = z.object({
  $top: z.coerce.number().int().min(1).max(1_000).optional(),
  $skip: z.coerce.number().int().min(0).default(0),
})
const none = z.undefined().optional()
/** Query options that lists of changes refuse. They take the page size from a header. */
const withoutOptions = z.object({
  $select: none,
  $expand: none,
  $filter: none,
  $orderby: none,
  $search: none,
  $top: none,
})
/** Source: https://learn.microsoft.com/graph/api/event-delta */
const change = z.union([
  z.object({ $deltatoken: z.string().max(500) }),
  z.object({ $skiptoken: z.string().max(500) }),
  range,
])

/** The content of a token: the time window, the number of the last known change (null for none), and the position of the page. */
const token = z.object({
  startMs: z.number(),
  endMs: z.number(),
  since: z.number().nullable(),
  /** The number of the last change when the first page was requested. */
  until: z.number(),
  /** The number of events and series on earlier pages. */
  skip: z.number(),
})
type Token = z.infer<typeof token>

const DEFAULT_PAGE = 10
const SMALL_PAGE = 10

export type CalendarViewRequest = {
  readonly query: unknown
  /** The URL without its query. */
  readonly url: string
  /** The page size from the Prefer header. */
  readonly pageSize: number | null
  readonly calendar: SandboxCalendar
  readonly faults: SandboxFaults
}

/** @throws GraphErrorResponse */
export async function respondWithCalendarView(
  world: CalendarSandboxContext,
  { query, url, calendar, faults }: CalendarViewRequest,
) {
  const window = readRange(query)
  const events = await listLive(world, calendar, window)
  events.sort((a, b) => epochMsOf(a.start, calendar.timeZone) - epochMsOf(b.start, calendar.timeZone))
  return toPage(
    query,
    { url, faults },
    events.map((event) => toEventResource(event, calendar)),
  )
}

/** Lists the occurrences of a series within a window. @throws GraphErrorResponse */
export async function listInstances(
  world: CalendarSandboxContext,
  { query, url, calendar, faults }: CalendarViewRequest,
  seriesId: string,
) {
  const events = await listLive(world, calendar, readRange(query))
  const parts = events.filter(({ series }) => series?.id === seriesId)
  return toPage(
    query,
    { url, faults },
    parts.map((event) => toEventResource(event, calendar)),
  )
}

/** @throws GraphErrorResponse */
export async function respondWithDelta(
  world: CalendarSandboxContext,
  { query, url, pageSize, calendar, faults }: CalendarViewRequest,
) {
  if (!withoutOptions.safeParse(query).success) throw unsupportedForDeltaError()
  const asked = change.safeParse(query)
  if (!asked.success) throw invalidRequestError('Invalid query')
  const at = readToken(world, asked.data, calendar)
  if (at.since !== null && faults.losesCursors) throw expiredDeltaTokenError()
  const kept = await listAllEvents(world, world.db, calendar.id)
  const groups = [...Map.groupBy(kept, ({ id, series }) => series?.id ?? id)]
    .filter(([, events]) => events.some((event) => at.since === null || event.change > at.since))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, events]) => describeGroup(id, events, { calendar, at }))
    .filter((group) => group.length > 0)
  const size = faults.hasSmallPages ? SMALL_PAGE : (pageSize ?? DEFAULT_PAGE)
  const value = groups.slice(at.skip, at.skip + size).flat()
  const following = { ...at, skip: at.skip + size }
  return {
    '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(event)',
    value,
    ...(groups.length > following.skip
      ? { '@odata.nextLink': `${url}?$skiptoken=${encodeToken(following)}` }
      : { '@odata.deltaLink': `${url}?$deltatoken=${encodeToken({ ...at, since: at.until, skip: 0 })}` }),
  }
}

/**
 * Describes a changed event or series. Changes outside the window look like deletions.
 * Source: https://learn.microsoft.com/graph/api/event-delta#response
 */
function describeGroup(
  id: string,
  events: readonly SandboxEvent[],
  { calendar, at }: { readonly calendar: SandboxCalendar; readonly at: Token },
): GraphEventResource[] {
  const live = events.filter((event) => isWithin(event, calendar, at))
  if (live.length === 0) return at.since === null ? [] : [{ id, '@removed': { reason: 'deleted' } }]
  const shown = live.map((event) => withoutProperties(toEventResource(event, calendar)))
  if (live[0]?.series == null) return shown
  return [withoutProperties(toSeriesMasterResource(live, calendar)), ...shown.map(toMinimalOccurrence)]
}

/** Removes extended properties, because lists of changes cannot expand them. */
function withoutProperties({ singleValueExtendedProperties: _left, ...resource }: GraphEventResource) {
  return resource
}

async function listLive(
  world: CalendarSandboxContext,
  calendar: SandboxCalendar,
  window: Interval,
): Promise<SandboxEvent[]> {
  const kept = await listAllEvents(world, world.db, calendar.id)
  return kept.filter((event) => isWithin(event, calendar, window))
}

function toPage(
  query: unknown,
  { url, faults }: Pick<CalendarViewRequest, 'url' | 'faults'>,
  all: readonly GraphEventResource[],
) {
  const asked = paging.safeParse(query)
  if (!asked.success) throw invalidRequestError('Invalid query')
  const { $top = DEFAULT_PAGE, $skip } = asked.data
  const size = faults.hasSmallPages ? SMALL_PAGE : $top
  const { $skip: _before, ...same } = z.record(z.string(), z.string()).parse(query)
  const search = new URLSearchParams({ ...same, $skip: String($skip + size) })
  return {
    '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Collection(event)',
    value: all.slice($skip, $skip + size),
    ...(all.length > $skip + size ? { '@odata.nextLink': `${url}?${search}` } : {}),
  }
}

function readRange(query: unknown): Interval {
  const asked = range.safeParse(query)
  if (!asked.success)
    throw invalidRequestError('This request requires a time window specified by the query string.')
  return { startMs: Date.parse(asked.data.startDateTime), endMs: Date.parse(asked.data.endDateTime) }
}

/** @throws GraphErrorResponse when the token is invalid */
function readToken(
  world: CalendarSandboxContext,
  asked: z.infer<typeof change>,
  calendar: SandboxCalendar,
): Token {
  if ('startDateTime' in asked) return { ...readRange(asked), since: null, until: calendar.changes, skip: 0 }
  if ('$skiptoken' in asked) return decodeToken(world, token, asked.$skiptoken)
  return { ...decodeToken(world, token, asked.$deltatoken), until: calendar.changes }
}
