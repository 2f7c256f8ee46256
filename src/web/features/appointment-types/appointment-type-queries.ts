import { queryOptions } from '@tanstack/react-query'
import type { AppointmentType } from '#contract/appointment-types.ts'
import { OWNER_KEY } from '#web/app/kit/owner-key.ts'
import { retryOnce } from '#web/app/kit/retry-once.ts'
import { getJson } from '#web/shared/api-client.ts'

/** The types of a calendar, by name (spec §7). */
export function appointmentTypesQuery(calendarId: string) {
  return queryOptions({
    queryKey: [OWNER_KEY, 'appointment-types', calendarId],
    queryFn: async ({ signal }) => {
      const path = appointmentTypesPath(calendarId)
      return (await getJson<{ appointment_types: AppointmentType[] }>(path, signal)).appointment_types
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
