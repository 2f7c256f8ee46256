import { queryOptions } from '@tanstack/react-query'
import type { Location } from '#contract/availability/locations.ts'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { retryOnce } from '#web/kit/retry-once.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Loads the number of a type's future appointments, shown before the type is deleted. Never cached. */
export function appointmentTypeUsageQuery(calendarId: string, typeId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'appointment-type-usage', calendarId, typeId],
    queryFn: ({ signal }) =>
      callApi(at.getAppointmentTypeUsage, { params: { id: calendarId, type_id: typeId }, signal }),
    staleTime: 0,
    retry: retryOnce,
  })
}

/** The locations that a type can have: those of the calendar first, then the owner's other locations. */
export type LocationOptions = { readonly primary: Location | null; readonly places: readonly Location[] }

/**
 * Loads these locations. The query key starts like those of the Locations tab, so that changes on that tab refresh this query.
 */
export function locationOptionsQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_QUERY_KEY, 'locations', 'choice', calendarId],
    queryFn: async ({ signal }): Promise<LocationOptions> => {
      const [{ calendar_locations: rows }, { locations: own }] = await Promise.all([
        callApi(at.listCalendarLocations, { params: { id: calendarId }, signal }),
        callApi(at.listLocations, { signal }),
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
