import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { refreshOwnerFreeTimes } from '#web/kit/own-times.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Loads the owner's own locations, sorted by name (rule L10). */
export function ownLocationsQuery() {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'locations', 'own'],
    queryFn: async ({ signal }) => (await callApi(at.listLocations, { signal })).locations,
    staleTime: 60_000,
    retry: retryOnce,
  })
}

/** Loads a calendar's locations, the primary one first, then by name (rule L10), and those that their owners no longer share. */
export function calendarLocationsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'locations', 'of-calendar', calendarId],
    queryFn: ({ signal }) => callApi(at.listCalendarLocations, { params: { id: calendarId }, signal }),
    staleTime: 60_000,
    retry: retryOnce,
  })
}

/** Loads the calendars that use a location. Never cached, because the data is shown before a removal. */
export function locationUsageQuery(locationId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'location-usage', locationId],
    queryFn: async ({ signal }) =>
      (await callApi(at.getLocationUsage, { params: { location_id: locationId }, signal })).calendars,
    staleTime: 0,
    retry: retryOnce,
  })
}

/** Refetches all data that depends on a location: lists of locations, appointment types and available times. */
export async function refreshLocations(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'locations'] }),
    client.invalidateQueries({ queryKey: [OWNER_QUERY_KEY, 'appointment-types'] }),
    refreshOwnerFreeTimes(client),
  ])
}
