import { queryOptions } from '@tanstack/react-query'
import type { AppointmentTypeUsage } from '#contract/appointment-types.ts'
import type { CalendarLocation, Location } from '#contract/locations.ts'
import { appointmentTypesPath } from '#web/kit/appointment-types-query.ts'
import { OWNER_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'

/** The future appointments that a deletion of the type would touch. Always loaded again. */
export function appointmentTypeUsageQuery(calendarId: string, typeId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointment-type-usage', calendarId, typeId],
    queryFn: ({ signal }) =>
      getJson<AppointmentTypeUsage>(`${appointmentTypesPath(calendarId, typeId)}/usage`, signal),
    staleTime: 0,
    retry: retryOnce,
  })
}

/** The locations for a type of the calendar: the calendar's locations, then the owner's other ones. */
export type LocationOptions = { readonly primary: Location | null; readonly places: readonly Location[] }

/** The key begins like those of the Locations tab, so that a change there is seen here. */
export function locationOptionsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'locations', 'choice', calendarId],
    queryFn: async ({ signal }): Promise<LocationOptions> => {
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
