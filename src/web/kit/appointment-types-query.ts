import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { refreshOwnerFreeTimes } from './own-times.ts'
import { OWNER_QUERY_KEY } from './owner-key.ts'
import { retryOnce } from './retry-once.ts'

/**
 * Loads a calendar's appointment types, in the owner's order (rule C18), and its payment providers, without which types have no
 * prices. Refetched when the window regains focus, because the owner connects accounts in another tab.
 */
export function appointmentTypesQuery(calendarId: string) {
  return queryOptions({
    queryKey: appointmentTypesKey(calendarId),
    queryFn: ({ signal }) => callApi(at.listAppointmentTypes, { params: { id: calendarId }, signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: 'always',
    retry: retryOnce,
  })
}

/** Reloads the types after a change, as well as the owner's free times, which depend on the durations of the types. */
export async function refreshAppointmentTypes(client: QueryClient, calendarId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: appointmentTypesKey(calendarId) }),
    refreshOwnerFreeTimes(client, calendarId),
  ])
}

/** Returns the prefix of all query keys for a calendar's appointment types. */
function appointmentTypesKey(calendarId: string): string[] {
  return [OWNER_QUERY_KEY, 'appointment-types', calendarId]
}
