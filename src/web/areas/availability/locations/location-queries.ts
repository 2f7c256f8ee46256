import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { forgetTimes } from '#web/kit/own-times.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The owner's own locations, by name (rule L10). */
export function ownLocationsQuery() {
  return queryOptions({
    queryKey: [OWNER_KEY, 'locations', 'own'],
    queryFn: async ({ signal }) => (await callApi(at.listLocations, { signal })).locations,
    staleTime: 60_000,
    retry: retryOnce,
  })
}

/** The locations of a calendar, the primary one first, then by name (rule L10), and those that it no longer may use. */
export function calendarLocationsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'locations', 'of-calendar', calendarId],
    queryFn: ({ signal }) => callApi(at.listCalendarLocations, { params: { id: calendarId }, signal }),
    staleTime: 60_000,
    retry: retryOnce,
  })
}

/** Who uses a location. Always loaded again, because it is read before something is removed. */
export function locationUsageQuery(locationId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'location-usage', locationId],
    queryFn: async ({ signal }) =>
      (await callApi(at.getLocationUsage, { params: { location_id: locationId }, signal })).calendars,
    staleTime: 0,
    retry: retryOnce,
  })
}

/**
 * Everything that depends on a location is loaded again: its calendars, the owner's list, the types held there, the
 * times.
 */
export async function refreshLocations(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'locations'] }),
    client.invalidateQueries({ queryKey: [OWNER_KEY, 'appointment-types'] }),
    forgetTimes(client),
  ])
}
