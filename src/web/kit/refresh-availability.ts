import type { QueryClient } from '@tanstack/react-query'
import { availabilityKey } from './availability-query.ts'
import { ALL_CALENDARS_KEY } from './calendar-scope.ts'
import { refreshOwnerFreeTimes } from './own-times.ts'
import { OWNER_QUERY_KEY } from './owner-key.ts'

/** Returns the key of the query for a calendar's public holidays. */
export function holidaysKey(calendarId: string) {
  return [OWNER_QUERY_KEY, 'holidays', calendarId] as const
}

/**
 * Reloads all data that depends on a calendar's opening hours after they have changed: the weekly hours, special days,
 * public holidays and preview, the owner's free times, and the day and week views and the insights, also those of all calendars.
 */
export async function refreshAvailability(client: QueryClient, calendarId: string): Promise<void> {
  // Not awaited, because computing the holidays can take the server a second.
  void client.invalidateQueries({ queryKey: holidaysKey(calendarId) })
  await Promise.all([
    client.invalidateQueries({ queryKey: availabilityKey(calendarId) }),
    refreshOwnerFreeTimes(client, calendarId),
    ...[calendarId, ALL_CALENDARS_KEY].flatMap((scope) => [
      client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'appointments', scope, 'agenda'] }),
      client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'insights', scope] }),
    ]),
  ])
}
