import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ExternalCalendars } from '#contract/external-calendars/external-calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { refreshOwnTimes } from '#web/kit/own-times.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** How often to refetch while the tab is visible. */
const REFETCH_MS = 60_000

const EXTERNAL_CALENDARS_KEY = [OWNER_KEY, 'external-calendars'] as const

/** The owner's accounts and how a calendar uses them. Refetched when the owner returns from a provider. */
export function externalCalendarsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...EXTERNAL_CALENDARS_KEY, calendarId],
    queryFn: ({ signal }) => callApi(at.getExternalCalendars, { params: { id: calendarId }, signal }),
    refetchOnWindowFocus: 'always',
    refetchInterval: REFETCH_MS,
    retry: retryOnce,
  })
}

/** External changes that wait for the owner's decision. Source: rule G13. */
export function externalChangesQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'external-changes', calendarId],
    queryFn: ({ signal }) => callApi(at.listExternalChanges, { params: { id: calendarId }, signal }),
    refetchInterval: REFETCH_MS,
    retry: retryOnce,
  })
}

/** The secret address of the iCalendar feed. Source: rule G22. */
export function calendarFeedQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'calendar-feed', calendarId],
    queryFn: ({ signal }) => callApi(at.getCalendarFeed, { params: { id: calendarId }, signal }),
    retry: retryOnce,
  })
}

/** Stores the new state in the cache and refetches everything that depends on it. */
export function showExternalCalendars(
  client: QueryClient,
  calendarId: string,
  external: ExternalCalendars,
): void {
  client.setQueryData(externalCalendarsQuery(calendarId).queryKey, external)
  // Other calendars show the same accounts.
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[1] === EXTERNAL_CALENDARS_KEY[1] && queryKey[2] !== calendarId,
  })
  void showChangedTimes(client, calendarId)
}

/**
 * Refetches everything that depends on busy times. Call it after a change of accounts or of the calendars that are
 * read.
 */
export async function showChangedTimes(client: QueryClient, calendarId: string): Promise<void> {
  await Promise.all([
    // Busy times count for all calendars of a person. Source: rule G31.
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'appointments'] }),
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'upcoming-appointments'] }),
    client.invalidateQueries({ queryKey: externalChangesQuery(calendarId).queryKey }),
    // The records of calendars contain whether they are connected.
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'calendars'] }),
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'calendar'] }),
    refreshOwnTimes(client),
  ])
}
