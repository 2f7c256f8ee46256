import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { calendarKey, calendarsKey } from '#web/kit/calendar-cache.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'
import { keepOwnCalendars } from './own-calendars.ts'

const MINUTE_MS = 60_000

/** The owner's calendars, newest first. Fresh for 5 minutes, one retry (rule C11); only their own (rule C11). */
export function calendarsQuery(ownerId: string) {
  return queryOptions({
    queryKey: calendarsKey(ownerId),
    queryFn: async ({ signal }) => {
      const { calendars } = await callApi(at.listCalendars, { signal })
      return keepOwnCalendars(calendars, ownerId)
    },
    staleTime: 5 * MINUTE_MS,
    retry: retryOnce,
  })
}

/** One calendar for its settings. Fresh for 10 minutes, kept for 30, one retry (rule C11). */
export function calendarQuery(ownerId: string, id: string) {
  return queryOptions({
    queryKey: calendarKey(ownerId, id),
    queryFn: ({ signal }) => callApi(at.getCalendar, { params: { id }, signal }),
    staleTime: 10 * MINUTE_MS,
    gcTime: 30 * MINUTE_MS,
    retry: retryOnce,
  })
}

/** Shows a calendar that was just created without waiting for the list. */
export function rememberCalendar(client: QueryClient, calendar: Calendar): Promise<void> {
  const { queryKey } = calendarsQuery(calendar.user_id)
  client.setQueryData(queryKey, (known) => known && [calendar, ...known])
  return client.invalidateQueries({ queryKey })
}

/** Removes a deleted calendar from the list, so that no page asks about it. */
export function takeOffList(client: QueryClient, ownerId: string, id: string): void {
  const { queryKey } = calendarsQuery(ownerId)
  client.setQueryData(queryKey, (known) => known?.filter((calendar) => calendar.id !== id))
}

/** Removes a deleted calendar, and what was read about it, from everything that is shown. */
export function forgetCalendar(client: QueryClient, ownerId: string, id: string): Promise<void> {
  takeOffList(client, ownerId, id)
  client.removeQueries({ queryKey: calendarQuery(ownerId, id).queryKey })
  // Its appointments are gone from the dashboard, too.
  return client.invalidateQueries({ queryKey: [OWNER_KEY] })
}
