import { isTimeZone } from '#core/shared/zoned-time.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
  type ChangesPage,
  type ChangesRequest,
  type ExternalChange,
} from '#server/ports/external-calendar.ts'
import type { GoogleClient } from './google-client.ts'
import { readPages } from './read-pages.ts'
import { EVENT_FIELDS, type EventContext, toExternalChange } from './to-external-event.ts'

/** Maximum number of events per page. For larger pages Google takes longer than our time limit. */
const PAGE_SIZE = 1_000

/**
 * Parameters of every events query; Google requires the same ones for a full sync and its incremental syncs. Of the
 * attendees, only the owner's own response matters. Source:
 * https://developers.google.com/workspace/calendar/api/guides/sync
 */
const QUESTION = {
  // Makes Google return each occurrence of a series separately, and moved occurrences at their new time.
  singleEvents: true,
  maxAttendees: 1,
  maxResults: PAGE_SIZE,
  fields: `timeZone,nextPageToken,nextSyncToken,items(${EVENT_FIELDS})`,
} as const

/** Yields the changes since the cursor, or everything in the window. Source: rule G15. */
export async function* readChanges(
  client: GoogleClient,
  access: CalendarAccess,
  { calendar, cursor, window, signal }: ChangesRequest,
): AsyncIterable<ChangesPage> {
  const since = cursor === null ? toTimeRange(window) : { syncToken: cursor }
  const pages = readPages((pageToken) =>
    client.call(
      access,
      (google, options) =>
        google.events.list(
          { calendarId: calendar.externalId, ...QUESTION, ...since, ...(pageToken && { pageToken }) },
          options,
        ),
      { hasCursor: cursor !== null, ...(signal && { signal }) },
    ),
  )
  for await (const page of pages) {
    const frame = { timeZone: zoneOf(page.timeZone, calendar.timeZone), window }
    const isLast = !page.nextPageToken
    if (isLast && !page.nextSyncToken) {
      throw new CalendarProviderError('unavailable', 'Google did not say where the next sync goes on.')
    }
    yield { changes: toChanges(page.items, frame), cursor: isLast ? (page.nextSyncToken ?? null) : null }
  }
}

/**
 * Returns current busy times. Google's free/busy query would need one call for all calendars, but its answer contains
 * no event ids, so our own events could not be distinguished from others at the same time. Source: rule G5.
 */
export async function readBusyTimes(
  client: GoogleClient,
  access: CalendarAccess,
  { calendars, during, signal }: Parameters<CalendarProvider['readBusyTimes']>[1],
): ReturnType<CalendarProvider['readBusyTimes']> {
  const busyOf = async ({ externalId, timeZone }: (typeof calendars)[number]) => {
    const pages = readPages((pageToken) =>
      client.call(
        access,
        (google, options) =>
          google.events.list(
            { calendarId: externalId, ...QUESTION, ...toTimeRange(during), ...(pageToken && { pageToken }) },
            options,
          ),
        { signal },
      ),
    )
    const changes: ExternalChange[] = []
    for await (const page of pages) {
      changes.push(...toChanges(page.items, { timeZone: zoneOf(page.timeZone, timeZone), window: during }))
    }
    return changes.flatMap(({ eventId, event }) =>
      (event?.occurrences ?? []).map(({ startMs, endMs }) => ({
        ...{ externalId, eventId, appointmentId: event?.appointmentId ?? null },
        ...{ startMs, endMs },
      })),
    )
  }
  // If one request fails, the whole check fails: a calendar that cannot be read must not look empty.
  return (await Promise.all(calendars.map(busyOf))).flat()
}

function toChanges(items: readonly unknown[] | undefined, frame: EventContext): ExternalChange[] {
  return (items ?? []).flatMap((sent) => toExternalChange(sent, frame) ?? [])
}

/**
 * Google returns events that end after timeMin and begin before timeMax, so events that only overlap the window are
 * included.
 */
function toTimeRange({ startMs, endMs }: ChangesRequest['window']) {
  return { timeMin: new Date(startMs).toISOString(), timeMax: new Date(endMs).toISOString() }
}

/** Returns the calendar's current zone from a response; if the response has none, the zone from the calendar list. */
function zoneOf(sent: string | null | undefined, listed: string | null): string {
  return sent && isTimeZone(sent) ? sent : (listed ?? 'UTC')
}
