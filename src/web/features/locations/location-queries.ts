import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { CalendarLocation, Location, LocationUse } from '#contract/locations.ts'
import { forgetTimes } from '#web/kit/own-times.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'

/** The owner's own locations, by name (rule L10). */
export function ownLocationsQuery() {
  return queryOptions({
    queryKey: [OWNER_KEY, 'locations', 'own'],
    queryFn: async ({ signal }) =>
      (await getJson<{ locations: Location[] }>('/api/locations', signal)).locations,
    staleTime: 60_000,
    retry: retryOnce,
  })
}

/** The locations of a calendar, the primary one first, then by name (rule L10). */
export function calendarLocationsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'locations', 'of-calendar', calendarId],
    queryFn: async ({ signal }) => {
      const path = calendarLocationsPath(calendarId)
      const answer = await getJson<{ calendar_locations: CalendarLocation[] }>(path, signal)
      return answer.calendar_locations
    },
    staleTime: 60_000,
    retry: retryOnce,
  })
}

/** Who uses a location. Always loaded again, because it is read before something is removed. */
export function locationUsageQuery(locationId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'location-usage', locationId],
    queryFn: async ({ signal }) =>
      (await getJson<{ calendars: LocationUse[] }>(`${locationPath(locationId)}/usage`, signal)).calendars,
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

export function locationPath(locationId: string): string {
  return `/api/locations/${encodeURIComponent(locationId)}`
}

/** The address of a calendar's locations, or of one of them. */
export function calendarLocationsPath(calendarId: string, calendarLocationId?: string): string {
  const all = `/api/calendars/${encodeURIComponent(calendarId)}/locations`
  return calendarLocationId === undefined ? all : `${all}/${encodeURIComponent(calendarLocationId)}`
}
