import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'
import { forgetTimes } from './own-times.ts'
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
