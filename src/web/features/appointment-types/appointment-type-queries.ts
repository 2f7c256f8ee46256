import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { AppointmentTypesResponse, AppointmentTypeUsage } from '#contract/appointment-types.ts'
import type { CalendarLocation, Location } from '#contract/locations.ts'
import { forgetTimes } from '#web/app/kit/own-times.ts'
import { OWNER_KEY } from '#web/app/kit/owner-key.ts'
import { retryOnce } from '#web/app/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'

/** The types of a calendar, by name (spec §7), and the providers that decide whether they can have prices. */
export function appointmentTypesQuery(calendarId: string) {
  return queryOptions({
    queryKey: [...appointmentTypesKey(calendarId), 'with-providers'],
    queryFn: ({ signal }) => getJson<AppointmentTypesResponse>(appointmentTypesPath(calendarId), signal),
    staleTime: 60_000,
    retry: retryOnce,
  })
}

/** After a change: the types are asked for again, and the times of the owner's own booking, which depend on their length. */
export async function refreshTypes(client: QueryClient, calendarId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: appointmentTypesKey(calendarId) }),
    forgetTimes(client, calendarId),
  ])
}

/** What every question about the types of a calendar begins with. */
function appointmentTypesKey(calendarId: string): string[] {
  return [OWNER_KEY, 'appointment-types', calendarId]
}

/** What deleting a type would touch. Asked anew each time. */
export function appointmentTypeUsageQuery(calendarId: string, typeId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointment-type-usage', calendarId, typeId],
    queryFn: ({ signal }) =>
      getJson<AppointmentTypeUsage>(`${appointmentTypesPath(calendarId, typeId)}/usage`, signal),
    staleTime: 0,
    retry: retryOnce,
  })
}

/** Where a type of the calendar can take place: the calendar's locations, then the owner's other ones. */
export type PlaceChoice = { readonly primary: Location | null; readonly places: readonly Location[] }

/** The key begins like those of the Locations tab, so that a change there is seen here. */
export function placeChoiceQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'locations', 'choice', calendarId],
    queryFn: async ({ signal }): Promise<PlaceChoice> => {
      const path = `/api/calendars/${encodeURIComponent(calendarId)}/locations`
      const [{ calendar_locations: rows }, { locations: own }] = await Promise.all([
        getJson<{ calendar_locations: CalendarLocation[] }>(path, signal),
        getJson<{ locations: Location[] }>('/api/locations', signal),
      ])
      const here = rows.map((row) => row.location)
      const elsewhere = own.filter((location) => here.every(({ id }) => id !== location.id))
      const primary = rows.find((row) => row.is_primary)?.location ?? null
      return { primary, places: [...here, ...elsewhere] }
    },
    staleTime: 60_000,
    retry: retryOnce,
  })
}

/** Where the types of a calendar are, or one of them. */
export function appointmentTypesPath(calendarId: string, typeId?: string): string {
  const all = `/api/calendars/${encodeURIComponent(calendarId)}/appointment-types`
  return typeId === undefined ? all : `${all}/${encodeURIComponent(typeId)}`
}
