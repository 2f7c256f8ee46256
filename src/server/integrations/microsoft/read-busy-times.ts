import type { BusyTime, CalendarAccess, CalendarProvider } from '#server/ports/external-calendar.ts'
import { calendarPath, toViewQuery } from './calendar-path.ts'
import type { GraphClient } from './graph-client.ts'
import { EVENT_QUERY, parseEvent } from './graph-event.ts'
import { mapInBatches } from './map-in-batches.ts'
import { readPages } from './read-pages.ts'
import { toExternalEvent } from './to-external-event.ts'

const PAGE_SIZE = '200'

/**
 * Returns current busy times. Graph's free/busy query (getSchedule) does not support personal accounts, so each
 * calendar's view is read, which contains every occurrence of a series in full.
 */
export async function readBusyTimes(
  client: GraphClient,
  access: CalendarAccess,
  { calendars, during, signal }: Parameters<CalendarProvider['readBusyTimes']>[1],
): ReturnType<CalendarProvider['readBusyTimes']> {
  const query = { ...toViewQuery(during), ...EVENT_QUERY, $top: PAGE_SIZE }
  // If one request fails, the whole answer fails: a calendar that cannot be read must not look empty.
  const busy = await mapInBatches(calendars, async ({ externalId, timeZone }) => {
    const at = `${calendarPath(externalId)}/calendarView`
    const pages = readPages((nextLink) =>
      client.call(access, { ...(nextLink === undefined ? { at, query } : { at: nextLink }), signal }),
    )
    const times: BusyTime[] = []
    for await (const { items } of pages) {
      for (const event of items.flatMap((sent) => parseEvent(sent) ?? [])) {
        const { appointmentId, occurrences } = toExternalEvent(event, { timeZone, window: during })
        // A sync stores occurrences under their series.
        const eventId = event.seriesMasterId ?? event.id
        const said = { externalId, eventId, appointmentId }
        times.push(...occurrences.map(({ startMs, endMs }) => ({ ...said, startMs, endMs })))
      }
    }
    return times
  })
  return busy.flat()
}
