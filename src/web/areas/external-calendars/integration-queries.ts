import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { refreshOwnerFreeTimes } from '#web/kit/own-times.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Refetch interval while the tab is visible, in milliseconds. */
const REFETCH_MS = 60_000

const EXTERNAL_CALENDARS_KEY = [OWNER_QUERY_KEY, 'external-calendars'] as const

/** The owner's external accounts and how a calendar uses them. Refetched when the owner returns from a provider's page. */
export function externalCalendarsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...EXTERNAL_CALENDARS_KEY, calendarId],
    queryFn: ({ signal }) => callApi(at.getExternalCalendars, { params: { id: calendarId }, signal }),
    refetchOnWindowFocus: 'always',
    refetchInterval: REFETCH_MS,
    retry: retryOnce,
  })
}

/** Changes made in the external calendar that await the owner's decision. Source: rule G13. */
export function externalChangesQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'external-changes', calendarId],
    queryFn: ({ signal }) => callApi(at.listExternalChanges, { params: { id: calendarId }, signal }),
    refetchInterval: REFETCH_MS,
    retry: retryOnce,
  })
}

/** The secret URL of the iCalendar feed. Source: rule G22. */
export function calendarFeedQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'calendar-feed', calendarId],
    queryFn: ({ signal }) => callApi(at.getCalendarFeed, { params: { id: calendarId }, signal }),
    retry: retryOnce,
  })
}

/** Stores the new state of the accounts in the cache and refetches all data that depends on it. */
export function cacheExternalCalendars(
  client: QueryClient,
  calendarId: string,
  external: ExternalCalendars,
): void {
  client.setQueryData(externalCalendarsQuery(calendarId).queryKey, external)
  // The owner's other calendars show the same accounts, so their cached state is outdated too.
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[1] === EXTERNAL_CALENDARS_KEY[1] && queryKey[2] !== calendarId,
  })
  void refreshAfterBusyTimesChange(client, calendarId)
}

/**
 * Refetches all data that depends on busy times. Call it after a change to the accounts or to the choice of calendars
 * that are read.
 */
export async function refreshAfterBusyTimesChange(client: QueryClient, calendarId: string): Promise<void> {
  await Promise.all([
    // Refetch the appointments of all calendars: busy times apply to all of a person's calendars. Source: rule G31.
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'appointments'] }),
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'upcoming-appointments'] }),
    client.invalidateQueries({ queryKey: externalChangesQuery(calendarId).queryKey }),
    // Each calendar's record says whether the calendar is connected.
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'calendars'] }),
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'calendar'] }),
    refreshOwnerFreeTimes(client),
  ])
}
