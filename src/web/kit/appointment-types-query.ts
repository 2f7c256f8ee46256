import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { refreshOwnTimes } from './own-times.ts'
import { OWNER_KEY } from './owner-key.ts'
import { retryOnce } from './retry-once.ts'

/** The types of a calendar, by name (rule C13), and the providers that decide whether they can have prices. */
export function appointmentTypesQuery(calendarId: string) {
  return queryOptions({
    queryKey: appointmentTypesKey(calendarId),
    queryFn: ({ signal }) => callApi(at.listAppointmentTypes, { params: { id: calendarId }, signal }),
    staleTime: 60_000,
    retry: retryOnce,
  })
}

/** Reloads the types after a change, and the owner's free times, which depend on the types' durations. */
export async function refreshTypes(client: QueryClient, calendarId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: appointmentTypesKey(calendarId) }),
    refreshOwnTimes(client, calendarId),
  ])
}

/** The cache key of everything about the types of a calendar. */
function appointmentTypesKey(calendarId: string): string[] {
  return [OWNER_KEY, 'appointment-types', calendarId]
}
