import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Calendar } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { calendarKey, calendarsKey } from '#web/kit/calendar-cache.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

const MINUTE_MS = 60_000

/**
 * Loads the owner's calendars, newest first. Fresh for 5 minutes, retried once. Filters out calendars of other owners (rule C11).
 */
export function calendarsQuery(ownerId: string) {
  return queryOptions({
    queryKey: calendarsKey(ownerId),
    queryFn: async ({ signal }) => {
      const { calendars } = await callApi(at.listCalendars, { signal })
      return filterOwnCalendars(calendars, ownerId)
    },
    staleTime: 5 * MINUTE_MS,
    retry: retryOnce,
  })
}

/** Loads one calendar for its settings. Fresh for 10 minutes, kept in the cache for 30, retried once (rule C11). */
export function calendarQuery(ownerId: string, id: string) {
  return queryOptions({
    queryKey: calendarKey(ownerId, id),
    queryFn: ({ signal }) => callApi(at.getCalendar, { params: { id }, signal }),
    staleTime: 10 * MINUTE_MS,
    gcTime: 30 * MINUTE_MS,
    retry: retryOnce,
  })
}

/** Adds a new calendar to the cached list, which is then refetched. */
export function addToCalendarList(client: QueryClient, calendar: Calendar): Promise<void> {
  const { queryKey } = calendarsQuery(calendar.user_id)
  client.setQueryData(queryKey, (known) => known && [calendar, ...known])
  return client.invalidateQueries({ queryKey })
}

/** Removes a deleted calendar from the cached list, so that no page requests it. */
export function removeFromCalendarList(client: QueryClient, ownerId: string, id: string): void {
  const { queryKey } = calendarsQuery(ownerId)
  client.setQueryData(queryKey, (known) => known?.filter((calendar) => calendar.id !== id))
}

/** Removes a deleted calendar and its data from the cache. */
export function removeCalendarFromCache(client: QueryClient, ownerId: string, id: string): Promise<void> {
  removeFromCalendarList(client, ownerId, id)
  client.removeQueries({ queryKey: calendarQuery(ownerId, id).queryKey })
  // The calendar's appointments also disappear from the dashboard.
  return client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY] })
}

/** Filters out calendars of other owners, with a warning in the console. Source: rule C10. */
export function filterOwnCalendars(calendars: readonly Calendar[], ownerId: string): Calendar[] {
  const own = calendars.filter((calendar) => calendar.user_id === ownerId)
  const foreign = calendars.length - own.length
  if (foreign > 0) {
    // biome-ignore lint/suspicious/noConsole: a response with other owners' calendars is a server bug, and this is its only trace (rule C10)
    console.warn(`The calendar list held ${foreign} calendars of other users; they are not shown.`)
  }
  return own
}
