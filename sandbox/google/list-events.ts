import type { calendar_v3 } from '@googleapis/calendar'
import { z } from 'zod'
import type { SandboxFaults } from '#sandbox/calendars/account.ts'
import type { SandboxCalendar } from '#sandbox/calendars/calendar.ts'
import { decodeToken, encodeToken, isWithin, listAllEvents } from '#sandbox/calendars/list-events.ts'
import type { CalendarSandboxContext } from '#sandbox/calendars/world.ts'
import { toEventResource } from './event-resource.ts'
import { expiredSyncTokenError, invalidRequestError } from './google-fault.ts'

/** Source: https://developers.google.com/workspace/calendar/api/v3/reference/events/list */
const question = z.object({
  // Required, because the sandbox stores occurrences instead of series.
  singleEvents: z.literal('true'),
  timeMin: z.iso.datetime({ offset: true }).optional(),
  timeMax: z.iso.datetime({ offset: true }).optional(),
  syncToken: z.string().max(500).optional(),
  pageToken: z.string().max(1_500).optional(),
  maxResults: z.coerce.number().int().min(1).default(250),
})

/** Google's maximum page size. */
const MAX_RESULTS = 2_500
const SMALL_PAGE = 10

/** The content of a sync token: the number of the last known change. */
const syncToken = z.object({ since: z.number() })
/** The content of a page token: the last event's id, and the number of changes when the first page was requested. */
const pageToken = z.object({ after: z.string(), changes: z.number() })

type Surroundings = {
  readonly calendar: SandboxCalendar
  readonly isDetailed: boolean
  readonly origin: string
  readonly faults: SandboxFaults
}

/** @throws GoogleErrorResponse */
export async function listEvents(
  world: CalendarSandboxContext,
  query: unknown,
  { calendar, isDetailed, origin, faults }: Surroundings,
): Promise<calendar_v3.Schema$Events> {
  const parsed = question.safeParse(query)
  if (!parsed.success) throw invalidRequestError('Invalid query')
  const asked = parsed.data
  if (asked.syncToken !== undefined && (asked.timeMin ?? asked.timeMax) !== undefined) {
    throw invalidRequestError('Sync token cannot be used with query restrictions.')
  }
  if (asked.syncToken !== undefined && faults.losesCursors) throw expiredSyncTokenError()
  const since = asked.syncToken === undefined ? null : decodeToken(world, syncToken, asked.syncToken).since
  const page = asked.pageToken === undefined ? null : decodeToken(world, pageToken, asked.pageToken)
  const window = {
    startMs: asked.timeMin === undefined ? -Infinity : Date.parse(asked.timeMin),
    endMs: asked.timeMax === undefined ? Infinity : Date.parse(asked.timeMax),
  }
  const kept = await listAllEvents(world, world.db, calendar.id)
  const fitting = kept
    .filter((event) => (since === null ? isWithin(event, calendar, window) : event.change > since))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .filter(({ id }) => page === null || id > page.after)
  const size = faults.hasSmallPages ? SMALL_PAGE : Math.min(asked.maxResults, MAX_RESULTS)
  const events = fitting.slice(0, size)
  const changes = page?.changes ?? calendar.changes
  return {
    kind: 'calendar#events',
    etag: `"p${calendar.changes}"`,
    summary: calendar.summary,
    description: '',
    updated: new Date(world.now()).toISOString(),
    timeZone: calendar.timeZone,
    accessRole: calendar.accessRole,
    defaultReminders: [{ method: 'popup', minutes: 30 }],
    items: events.map((event) => toEventResource(event, { calendar, isDetailed, origin })),
    ...(fitting.length > size
      ? { nextPageToken: encodeToken({ after: events.at(-1)?.id ?? '', changes }) }
      : { nextSyncToken: encodeToken({ since: changes }) }),
  }
}
