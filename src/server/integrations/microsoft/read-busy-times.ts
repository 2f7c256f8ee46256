import type { BusyTime, CalendarAccess, CalendarProvider } from '#server/ports/external-calendar.ts'
import { calendarPath, toViewQuery } from './calendar-path.ts'
import type { GraphClient } from './graph-client.ts'
import { EVENT_QUERY, parseEvent } from './graph-event.ts'
import { mapInBatches } from './map-in-batches.ts'
import { readPages } from './read-pages.ts'
import { toExternalEvent } from './to-external-event.ts'

const PAGE_SIZE = '200'

/**
 * The busy times at this moment. Graph's own question about free and busy times (getSchedule) does not know personal accounts, so
 * the view of each calendar is read, in which each occurrence of a series comes whole.
 */
export async function readBusyTimes(
  client: GraphClient,
  access: CalendarAccess,
  { calendars, during, signal }: Parameters<CalendarProvider['readBusyTimes']>[1],
): ReturnType<CalendarProvider['readBusyTimes']> {
  const query = { ...toViewQuery(during), ...EVENT_QUERY, $top: PAGE_SIZE }
  // One that fails makes the answer unknown: it never looks like a calendar in which nothing is.
  const busy = await mapInBatches(calendars, async ({ externalId, timeZone }) => {
    const at = `${calendarPath(externalId)}/calendarView`
    const pages = readPages((nextLink) =>
      client.call(access, { ...(nextLink === undefined ? { at, query } : { at: nextLink }), signal }),
    )
    const times: BusyTime[] = []
    for await (const { items } of pages) {
      for (const event of items.flatMap((sent) => parseEvent(sent) ?? [])) {
        const { appointmentId, occurrences } = toExternalEvent(event, { timeZone, window: during })
        // A sync knows occurrences by their series.
        const eventId = event.seriesMasterId ?? event.id
        const said = { externalId, eventId, appointmentId }
        times.push(...occurrences.map(({ startMs, endMs }) => ({ ...said, startMs, endMs })))
      }
    }
    return times
  })
  return busy.flat()
}
