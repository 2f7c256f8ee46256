import type { calendar_v3 } from '@googleapis/calendar'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import type { CalendarAccess, ListedCalendar } from '#server/ports/external-calendar.ts'
import type { GoogleClient } from './google-client.ts'
import { readPages } from './read-pages.ts'

/** Calendars per page; Google's maximum. */
const PAGE_SIZE = 250

/** Lists the account's calendars. `mayWrite`: the granted scopes allow writing events. */
export async function listCalendars(
  client: GoogleClient,
  access: CalendarAccess,
  mayWrite: boolean,
): Promise<ListedCalendar[]> {
  const pages = readPages((pageToken) =>
    client.call(access, (google, options) =>
      google.calendarList.list({ maxResults: PAGE_SIZE, ...(pageToken && { pageToken }) }, options),
    ),
  )
  const calendars: ListedCalendar[] = []
  for await (const { items = [] } of pages) {
    for (const entry of items) {
      if (entry.id && !entry.deleted) calendars.push(toCalendar(entry, entry.id, mayWrite))
    }
  }
  return calendars
}

function toCalendar(
  entry: calendar_v3.Schema$CalendarListEntry,
  externalId: string,
  mayWrite: boolean,
): ListedCalendar {
  const { summaryOverride, summary, backgroundColor, timeZone, primary, accessRole } = entry
  return {
    externalId,
    name: summaryOverride || summary || externalId,
    color: /^#[0-9a-f]{6}$/i.test(backgroundColor ?? '') ? (backgroundColor ?? null) : null,
    timeZone: timeZone && isTimeZone(timeZone) ? timeZone : null,
    isPrimary: primary === true,
    // The scope covers calendars that the account owns, not those shared with it for writing.
    canWrite: mayWrite && accessRole === 'owner',
  }
}
